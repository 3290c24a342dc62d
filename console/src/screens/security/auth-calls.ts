/** Calls of the auth service about the signed-in person, with one kind of error. */
import { auth, authorizedFetch, backendUrl } from '../../backend-auth.ts';
import {
  BackendError,
  fromAuthError,
  fromErrorBody,
  sentenceForStatus,
  unreachableMessage,
  unreadableMessage,
} from '../../backend-error.ts';

type Answer<Data> = { data: Data; error: null } | { data: unknown; error: Error };

/** The answer of a call of the auth client. @throws BackendError */
export const settled = async <Data>(
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

/** An endpoint that the auth client has no method for. @returns parsed JSON, null for an empty answer. */
export const callAuth = async (path: string, init?: RequestInit): Promise<unknown> => {
  let answer: Response;
  try {
    answer = await authorizedFetch(`${backendUrl}/auth/v1${path}`, init);
  } catch (cause) {
    throw new BackendError({ kind: 'network', message: unreachableMessage, cause });
  }
  if (answer.status === 204) return null;
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw fromErrorBody('auth', answer.status, body, sentenceForStatus(answer.status));
  if (body === undefined)
    throw new BackendError({ kind: 'shape', status: answer.status, message: unreadableMessage });
  return body;
};

/** Reads the session's level and user again after something about the person has changed. */
export const refreshSession = async (): Promise<void> => {
  await settled(auth.refreshSession());
};
