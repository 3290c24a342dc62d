/** The numbers of the random walks that a run performs. */

export interface WalkRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Parses a number or a range such as `1-200`.
 *
 * @throws Error for any other text, and for a range without a number
 */
export function parseWalkRange(text: string): WalkRange {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (first === undefined || Number(first) > Number(last))
    throw new Error('WALKS must be a number or a range such as 1-200.');
  return { first: Number(first), last: Number(last) };
}
