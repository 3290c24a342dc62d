/** How alike two names are, for hints such as "Perhaps you meant 'accounts'". */

/** The wire contract asks for at least this. */
export const similarEnough = 0.75;

function grams(text: string): Map<string, number> {
  const padded = `-${text.toLowerCase()}-`;
  const counts = new Map<string, number>();
  for (let at = 0; at + 2 <= padded.length; at += 1) {
    const gram = padded.slice(at, at + 2);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** Cosine of the two names' pairs of neighbouring characters: 1 for equal names, 0 for nothing in common. */
export function similarity(first: string, second: string): number {
  const [a, b] = [grams(first), grams(second)];
  let product = 0;
  for (const [gram, count] of a) product += count * (b.get(gram) ?? 0);
  const length = (counts: Map<string, number>): number =>
    Math.sqrt([...counts.values()].reduce((sum, count) => sum + count * count, 0));
  return product / (length(a) * length(b) || 1);
}

/** The most similar of the names, or null when none is similar enough. */
export function closest(name: string, names: Iterable<string>): string | null {
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
