/** Query of the demand for a second factor, as it applies to the user. */
import { queryOptions } from '@tanstack/react-query';
import { callFunction } from '../api/functions.ts';

export const secondFactorDemandQuery = queryOptions({
  queryKey: ['second-factor-demand'],
  staleTime: 5 * 60_000,
  queryFn: () => callFunction('second-factor-demand', {}),
});
