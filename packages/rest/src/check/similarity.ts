/** Finds similar names for hints such as "Perhaps you meant 'x'". */

/** Minimum similarity of a suggested name. */
const minSimilarity = 0.75;

/** Returns 1 minus the Levenshtein distance divided by the length of the longer name. */
export function similarity(first: string, second: string): number {
  const [a, b] = [Array.from(first.toLowerCase()), Array.from(second.toLowerCase())];
  let row = b.map((_, index) => index + 1);
  a.forEach((character, index) => {
    let diagonal = index;
    let left = index + 1;
    row = row.map((above, column) => {
      const distance = Math.min(diagonal + (character === b[column] ? 0 : 1), above + 1, left + 1);
      diagonal = above;
      left = distance;
      return distance;
    });
  });
  return 1 - (row.at(-1) ?? a.length) / Math.max(a.length, b.length, 1);
}

/** Returns the most similar name, or null if none is similar enough. */
export function findClosestName(name: string, names: Iterable<string>): string | null {
  // Identifiers in Postgres have at most 63 bytes, and comparing long names is expensive.
  if (name.length > 63) return null;
  let best: string | null = null;
  let bestScore = minSimilarity;
  for (const candidate of names) {
    const score = similarity(name, candidate);
    if (candidate !== name && score >= bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}
