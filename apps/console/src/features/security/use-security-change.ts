/** Completes the options of a change on the security screen. */
import { useQueryClient } from '@tanstack/react-query';
import type { SubmitOptions } from '../../forms/use-submit.ts';
import { withReauthentication } from '../../session/with-reauthentication.ts';
import { secondFactorRequirementQuery } from '../../shared/second-factor-requirement.ts';
import { securityQueryKey } from './security-queries.ts';

/** Reauthenticates if required, and refreshes the queries of the screen afterwards. */
export const useSecurityChange = <Input = void, Result = void>(
  options: SubmitOptions<Input, Result>,
): SubmitOptions<Input, Result> => {
  const client = useQueryClient();
  return {
    ...options,
    send: (input, signal) => withReauthentication(() => options.send(input, signal), signal),
    // Also after an error, because its cause may be a concurrent change that the screen does not show yet.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: securityQueryKey }),
        // The user can meet the requirement now, or no longer.
        client.invalidateQueries({ queryKey: secondFactorRequirementQuery.queryKey }),
      ]),
  };
};
