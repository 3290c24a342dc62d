/** How alike two names are, for hints such as "Perhaps you meant 'x'". */

/** The wire contract asks for at least this. */
const similarEnough = 0.75;

/** 1 for equal names, 0 for nothing in common: one minus the share of characters that have to change. */
export function similarity(first: string, second: string): number {
  const [a, b] = [Array.from(first.toLowerCase()), Array.from(second.toLowerCase())];
  let row = b.map((_, index) => index + 1);
  a.forEach((character, index) => {
    let corner = index;
    let left = index + 1;
    row = row.map((above, column) => {
      const changed = Math.min(corner + (character === b[column] ? 0 : 1), above + 1, left + 1);
      corner = above;
      left = changed;
      return changed;
    });
  });
  return 1 - (row.at(-1) ?? a.length) / Math.max(a.length, b.length, 1);
}

/** The most similar of the names, or null when none is similar enough. */
export function findClosestName(name: string, names: Iterable<string>): string | null {
  // Long names are no slips of the finger, and comparing them costs.
  if (name.length > 63) return null;
  let best: string | null = null;
  let bestScore = similarEnough;
  for (const candidate of names) {
    const score = similarity(name, candidate);
    if (candidate !== name && score >= bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}
