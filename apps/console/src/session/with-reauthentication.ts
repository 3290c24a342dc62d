/**
 * Sensitive changes require a recently authenticated session. If the service rejects a change for this
 * reason, the reauthentication dialog opens, and the change is sent again afterwards.
 */
import { ApiError } from '../api/errors.ts';
import { requestReauthentication } from './reauthentication-request.ts';

const canceledMessage = 'You canceled the confirmation. Nothing was changed.';

/**
 * Runs a change. If the service requires a fresh session, runs it again after the user reauthenticated.
 *
 * @param signal of the press: after Cancel, no dialog opens and nothing is sent again
 * @throws ApiError the error of `run`; `reauthentication_canceled` if the user canceled, and nothing
 *   changed
 */
export const withReauthentication = async <Result>(
  run: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> => {
  try {
    return await run();
  } catch (error) {
    const needed = error instanceof ApiError && error.code === 'reauthentication_needed';
    if (!needed) throw error;
    signal.throwIfAborted();
    if (!(await requestReauthentication())) {
      throw new ApiError({ kind: 'auth', code: 'reauthentication_canceled', message: canceledMessage });
    }
    signal.throwIfAborted();
    return run();
  }
};
