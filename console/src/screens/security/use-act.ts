/** One change on the security page: asks for a proof where the service wants one, shows the result as a toast and reloads what is shown. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../backend-error.ts';
import { useId } from 'react';
import { toast, type ToastMessage } from '../../ui/toast.ts';
import { withProof } from './fresh-session.ts';
import { securityKey } from './security-queries.ts';

interface Act<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** Title of the message when it fails; '' where the failure stands at its field. */
  failed: string;
  done?: (input: Input, result: Result) => Omit<ToastMessage, 'action'>;
  onDone?: (input: Input, result: Result) => void;
}

export const useAct = <Input, Result = void>({ run, failed, done, onDone }: Act<Input, Result>) => {
  const client = useQueryClient();
  const action = useId();
  return useMutation({
    mutationFn: (input: Input) => withProof(() => run(input)),
    onSuccess: (result, input) => {
      if (done !== undefined) toast({ action, ...done(input, result) });
      onDone?.(input, result);
    },
    onError: (error) => {
      if (failed !== '')
        toast({ action, title: failed, description: messageOf(error), variant: 'destructive' });
    },
    // Also after a failure: what the page shows may be what has changed elsewhere.
    onSettled: () => client.invalidateQueries({ queryKey: securityKey }),
  });
};
