/** Shortens a failed walk for use as an example. */

/**
 * Removes each step in turn, from the last to the first, if the walk still fails without it.
 *
 * @param steps a failed walk
 * @param fails takes the walk and resolves to true if it fails
 */
export async function shorten<Step>(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let shortest = steps;
  for (let index = steps.length - 2; index >= 0; index -= 1) {
    const without = shortest.toSpliced(index, 1);
    if (await fails(without)) shortest = without;
  }
  return shortest;
}
