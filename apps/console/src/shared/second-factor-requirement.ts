/** Query of the second-factor requirement, as it applies to the user. */
import { queryOptions } from '@tanstack/react-query';
import { callFunction } from '../api/functions.ts';

export const secondFactorRequirementQuery = queryOptions({
  queryKey: ['second-factor-requirement'],
  staleTime: 5 * 60_000,
  queryFn: () => callFunction('second-factor-requirement', {}),
});
