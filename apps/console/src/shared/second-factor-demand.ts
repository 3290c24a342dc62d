/** Query of the demand for a second factor, as it applies to the user. */
import type { SecondFactorDemand } from '@lanternrock/contract/administrators';
import { queryOptions } from '@tanstack/react-query';
import { enabledIf } from '../api/enabled-if.ts';
import { loadCode } from '../api/load-code.ts';
import { hasFeature } from '../api/runtime-config.ts';

export const secondFactorDemandQuery = queryOptions({
  queryKey: ['second-factor-demand'],
  staleTime: 5 * 60_000,
  ...enabledIf(hasFeature('second-factor-demand')),
  queryFn: async () => {
    // Not in the initial bundle, whose frame asks for the demand after its first screen.
    const { callFunction } = await loadCode(() => import('../api/functions.ts'));
    return callFunction<SecondFactorDemand>('second-factor-demand', {});
  },
});
