/** Finds environment variables that are probably misspelled settings. */

interface UnknownSetting {
  readonly name: string;
  /** The setting that was probably meant. */
  readonly nearest: string;
}

/** Variables of other programs that resemble settings. */
const otherPrograms: ReadonlySet<string> = new Set([
  'HOSTNAME',
  'HOSTTYPE',
  'HOME',
  'LOGNAME',
  'SESSION_MANAGER',
  'TOX_OVERRIDE',
]);

/** First words that other programs use, too. A name with such a word must resemble a setting as a whole. */
const commonWords: ReadonlySet<string> = new Set(
  'ACCESS BODY DATA EXTRA HOST LOG MANUAL MAX PLAN PORT REQUIRE SERVICE SESSION TEST TX'.split(' '),
);

/**
 * @param names of all environment variables
 * @param known names of all settings
 */
export function findUnknownSettings(names: readonly string[], known: readonly string[]): UnknownSetting[] {
  const isKnown = new Set(known);
  return names.flatMap((name) => {
    if (isKnown.has(name) || otherPrograms.has(name)) return [];
    const nearest = findNearest(name.toUpperCase().replace(/^LANTERNROCK_/, ''), known);
    return nearest === null ? [] : [{ name, nearest }];
  });
}

function findNearest(name: string, known: readonly string[]): string | null {
  // Only secrets can come from a file.
  const value = name.replace(/_FILE$/, '');
  if (known.includes(value)) return value;
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (!best) return null;
  if (best.distance <= allowedDistance(name, best.candidate)) return best.candidate;
  const [word = ''] = name.split('_', 1);
  if (word === name || commonWords.has(word)) return null;
  return known.find((candidate) => candidate.startsWith(`${word}_`)) ?? null;
}

/** Short words differ by few letters from many others, such as HOST from HOST1: only swapped letters count. */
function allowedDistance(name: string, candidate: string): number {
  const sorted = (text: string): string => text.split('').sort().join('');
  if (candidate.length < 6) return sorted(name) === sorted(candidate) ? 1 : 0;
  return candidate.length < 9 ? 1 : 2;
}

/** Number of inserted, deleted, replaced and swapped letters (optimal string alignment). */
function editDistance(a: string, b: string): number {
  // Longer names of other programs are not compared letter by letter.
  if (Math.abs(a.length - b.length) > 8) return 9;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
      );
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
