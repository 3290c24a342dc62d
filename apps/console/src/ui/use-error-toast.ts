/** Reports a failed query in a toast, and removes the toast after a later success. */
import { useEffect, useRef } from 'react';
import { dismissAction, toast, type ToastMessage } from './toast.ts';

interface QueryError {
  /** Null after a success. */
  error: Error | null;
  /**
   * Time of the latest error in milliseconds, 0 for none. Errors from before the component mounted are not
   * reported.
   */
  failedAt: number;
}

/** @param createToast called once for each error that occurs while the component is mounted */
export const useErrorToast = (
  { error, failedAt }: QueryError,
  createToast: (error: Error) => ToastMessage,
): void => {
  const reported = useRef(failedAt);
  const latestCreateToast = useRef(createToast);
  const action = useRef<string>(null);
  useEffect(() => {
    latestCreateToast.current = createToast;
  });
  useEffect(() => {
    if (error === null) {
      if (action.current !== null) dismissAction(action.current);
      action.current = null;
    } else if (failedAt !== reported.current) {
      const message = latestCreateToast.current(error);
      action.current = message.action;
      toast(message);
    }
    reported.current = failedAt;
  }, [error, failedAt]);
};
