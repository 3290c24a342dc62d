/** How often generated tests run: few times in `npm test`, many in the long run (TEST_LONG). */
const long = (process.env['TEST_LONG'] ?? '') !== '';

export const runs = (counts: { readonly short: number; readonly long: number }): number =>
  long ? counts.long : counts.short;

/** One seed for all, so that a failure can be repeated (TEST_SEED); printed by fast-check with the counterexample. */
export const seed = Number(process.env['TEST_SEED'] ?? 20_261_121);
