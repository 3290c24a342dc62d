/** Finds a shorter walk that still fails, to be kept as an example. */

/**
 * Leaves out each step in turn, from the last to the first, and keeps what fails without it.
 *
 * @param steps a walk that fails.
 * @param fails takes the walk.
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
