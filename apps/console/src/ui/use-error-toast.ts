/** Reports a failed query in a toast, and removes the toast when the query no longer has an error. */
import { useEffect, useRef } from 'react';
import { dismissAction, toast, type ToastMessage } from './toast.ts';

interface QueryError {
  /** Null after a success, and while a query without data is fetched again. */
  error: Error | null;
  /**
   * Time of the latest error in milliseconds, 0 for none. Errors from before the component mounted are not
   * reported.
   */
  failedAt: number;
}

/**
 * Shows a toast for each new error of a query.
 *
 * @param createToast called once for each error that occurs while the component is mounted
 */
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
