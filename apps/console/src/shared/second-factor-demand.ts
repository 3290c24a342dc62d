/** Query of the demand for a second factor, as it applies to the user. */
import { queryOptions } from '@tanstack/react-query';
import { callFunction } from '../api/functions.ts';
import { enabledIf, hasFeature } from '../api/runtime-config.ts';

export const secondFactorDemandQuery = queryOptions({
  queryKey: ['second-factor-demand'],
  staleTime: 5 * 60_000,
  ...enabledIf(hasFeature('second-factor-demand')),
  queryFn: () => callFunction('second-factor-demand', {}),
});
