/** Calls of the auth client that throw `ApiError` instead of returning an error. */
import { auth } from './auth.ts';
import { type ApiError, fromAuthError } from './errors.ts';

type AuthResponse<Data> = { data: Data; error: null } | { data: unknown; error: Error };

/**
 * Returns the data of a call of the auth client.
 *
 * @param readError converts the client's error
 * @throws ApiError
 */
export const unwrapAuth = async <Data>(
  call: Promise<AuthResponse<Data>>,
  readError: (error: unknown) => ApiError = fromAuthError,
): Promise<NonNullable<Data>> => {
  let response: AuthResponse<Data>;
  try {
    response = await call;
  } catch (error) {
    throw readError(error);
  }
  if (response.error !== null) throw readError(response.error);
  // The client returns data whenever it returns no error. Calls without a result ignore it.
  return response.data as NonNullable<Data>;
};

/** Refreshes the session, so that it holds the current user and assurance level. */
export const refreshSession = async (): Promise<void> => {
  await unwrapAuth(auth.refreshSession());
};
