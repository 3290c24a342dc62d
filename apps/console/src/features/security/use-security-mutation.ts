/** Mutation of the security screen: reauthenticates if required, shows a toast and invalidates the queries of the screen. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../api/errors.ts';
import { useId } from 'react';
import { toast, type ToastMessage } from '../../ui/toast.ts';
import { withReauthentication } from '../../session/fresh-session.ts';
import { securityQueryKey } from './security-queries.ts';

interface SecurityMutationOptions<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** Title of the error toast. Empty if a field shows the error. */
  errorTitle: string;
  successToast?: (input: Input, result: Result) => Omit<ToastMessage, 'action'>;
  onSuccess?: (input: Input, result: Result) => void;
}

export const useSecurityMutation = <Input, Result = void>({
  run,
  errorTitle,
  successToast,
  onSuccess,
}: SecurityMutationOptions<Input, Result>) => {
  const client = useQueryClient();
  const action = useId();
  return useMutation({
    mutationFn: (input: Input) => withReauthentication(() => run(input)),
    onSuccess: (result, input) => {
      if (successToast !== undefined) toast({ action, ...successToast(input, result) });
      onSuccess?.(input, result);
    },
    onError: (error) => {
      if (errorTitle !== '')
        toast({ action, title: errorTitle, description: errorMessage(error), variant: 'destructive' });
    },
    // Also after an error, because its cause may be a concurrent change that the screen does not show yet.
    onSettled: () => client.invalidateQueries({ queryKey: securityQueryKey }),
  });
};
