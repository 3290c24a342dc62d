/** Functions about the demand for a second factor of all administrators. */
import { secondFactorDemandSchema } from '@lanternrock/contract/administrators';
import { readSecondFactorDemand, setSecondFactorDemand } from '../invitations/second-factor-demand.ts';
import { defineFunction } from './define-function.ts';
import { functionLimits } from './function-limits.ts';

/** For every signed-in user: an administrator without a second factor has no rights while it is demanded. */
export const secondFactorDemand = defineFunction({
  name: 'second-factor-demand',
  input: null,
  requires: 'session',
  noStore: true,
  work: ({ transaction }) => transaction(readSecondFactorDemand),
});

export const setSecondFactorDemandFunction = defineFunction({
  name: 'set-second-factor-demand',
  limit: functionLimits.administrators,
  input: secondFactorDemandSchema,
  fresh: 'Changing the demand for a second factor',
  work: async ({ input, database, authorize, transaction }) => {
    await setSecondFactorDemand(database, {
      graceDays: input.required ? input.grace_days : null,
      authorize,
    });
    return transaction(readSecondFactorDemand);
  },
});
