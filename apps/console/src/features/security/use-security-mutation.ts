/** One change on the security page: asks for a proof where the service wants one, shows the result as a toast and reloads what is shown. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../api/errors.ts';
import { useId } from 'react';
import { toast, type ToastMessage } from '../../ui/toast.ts';
import { withReauthentication } from '../../session/fresh-session.ts';
import { securityQueryKey } from './security-queries.ts';

interface Act<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** Title of the message when it fails; '' where the failure stands at its field. */
  errorTitle: string;
  successToast?: (input: Input, result: Result) => Omit<ToastMessage, 'action'>;
  onSuccess?: (input: Input, result: Result) => void;
}

export const useSecurityMutation = <Input, Result = void>({
  run,
  errorTitle,
  successToast,
  onSuccess,
}: Act<Input, Result>) => {
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
    // Also after a failure: what the page shows may be what has changed elsewhere.
    onSettled: () => client.invalidateQueries({ queryKey: securityQueryKey }),
  });
};
