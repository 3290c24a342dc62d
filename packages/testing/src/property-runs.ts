/** Number of runs of a property test: few in `npm test`, many in the long run (TEST_LONG). */
const long = (process.env['TEST_LONG'] ?? '') !== '';

export const runs = (counts: { readonly short: number; readonly long: number }): number =>
  long ? counts.long : counts.short;

/**
 * One seed for all property tests, to repeat a failure (TEST_SEED). fast-check prints it with the
 * counterexample.
 */
export const seed = Number(process.env['TEST_SEED'] ?? 20_261_121);
