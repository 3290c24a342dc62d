/** Reports a failed load in a message, and removes the message when a later load succeeds. */
import { useEffect, useRef } from 'react';
import { dismissAction, toast, type ToastMessage } from './toast.ts';

interface Failure {
  /** Null after a load that succeeded. */
  error: Error | null;
  /** Time of the latest failure in milliseconds, 0 for none. A failure from before the screen opened is not repeated. */
  failedAt: number;
}

/** @param message called once for each failure that happens while the component is mounted. */
export const useErrorToast = (
  { error, failedAt }: Failure,
  message: (error: Error) => ToastMessage,
): void => {
  const reported = useRef(failedAt);
  const latest = useRef(message);
  const action = useRef<string>(null);
  useEffect(() => {
    latest.current = message;
  });
  useEffect(() => {
    if (error === null) {
      if (action.current !== null) dismissAction(action.current);
      action.current = null;
    } else if (failedAt !== reported.current) {
      const raised = latest.current(error);
      action.current = raised.action;
      toast(raised);
    }
    reported.current = failedAt;
  }, [error, failedAt]);
};
