/** Results of the auth client about the signed-in user, with one class of errors. */
import { auth } from './auth.ts';
import { type BackendError, fromAuthError } from './errors.ts';

type Answer<Data> = { data: Data; error: null } | { data: unknown; error: Error };

/** The answer of a call of the auth client. @throws BackendError */
export const unwrapAuth = async <Data>(
  call: Promise<Answer<Data>>,
  readError: (error: unknown) => BackendError = fromAuthError,
): Promise<NonNullable<Data>> => {
  let answer: Answer<Data>;
  try {
    answer = await call;
  } catch (error) {
    throw readError(error);
  }
  if (answer.error !== null) throw readError(answer.error);
  // Where the client reports no error, the data is there; calls that answer nothing use nothing of it.
  return answer.data as NonNullable<Data>;
};

/** Reads the session's level and user again after something about the person has changed. */
export const refreshSession = async (): Promise<void> => {
  await unwrapAuth(auth.refreshSession());
};
