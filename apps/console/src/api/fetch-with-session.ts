/** Requests with the user's access token, of the Data API, the Functions API and some endpoints of the Auth API. */
import { buildHeader, consoleClientInfo } from '@lanternrock/contract/runtime';
import { runtimeConfig } from './backend.ts';
import { getCurrentSession, tokenForRetry } from './current-session.ts';
import { endLocalSession } from './local-session.ts';
import { type Deadline, fetchWhole, readWhole, timeoutFor, withDeadline } from './deadline.ts';
import { withIdempotencyKey } from './idempotency-keys.ts';
import { takePrefetchedResponse } from './prefetch.ts';
import { readSessionRequirement, reportSessionRequirement } from './session-requirements.ts';

let staleBuild = false;

/** Returns true if a response came from a different build of the console than this document. */
export const isStaleBuild = (): boolean => staleBuild;

interface SentRequest {
  readonly response: Response;
  /** The access token of the request. */
  readonly token: string | undefined;
}

/** Reports a session requirement and a different build. */
const inspectResponse = async ({ response, token }: SentRequest): Promise<void> => {
  const build = response.headers.get(buildHeader);
  if (build !== null && runtimeConfig.build !== '' && build !== runtimeConfig.build) staleBuild = true;
  if (response.status !== 403 || token === undefined) return;
  const requirement = await readSessionRequirement(response);
  if (requirement !== undefined) reportSessionRequirement(requirement, token);
};

const withKeys = (init: RequestInit | undefined, token: string): RequestInit => {
  const headers = new Headers(init?.headers);
  headers.set('apikey', runtimeConfig.anonKey);
  headers.set('Authorization', `Bearer ${token}`);
  headers.set('X-Client-Info', consoleClientInfo);
  return { ...init, headers };
};

/**
 * Sends a request with the user's access token, or with the publishable key if no user is signed in. After a
 * 401 it refreshes the token and sends the request again: the service has not processed a request that it
 * rejected with 401. If the second attempt is rejected too, the session is removed from this browser. A 401
 * with a session requirement is returned unchanged, because the token is valid.
 *
 * @param fetchResponse sends each attempt
 * @throws ApiError if the session could not be refreshed; other errors of `fetch`
 */
export const sendWithSession = (
  deadline: Deadline,
  url: RequestInfo | URL,
  init: RequestInit | undefined,
  fetchResponse: typeof fetchWhole,
): Promise<Response> => {
  const send = (keyed: RequestInit | undefined, token: string): Promise<Response> =>
    fetchResponse(deadline, url, withKeys(keyed, token));
  return withIdempotencyKey(url, init, async (keyed) => {
    const token = (await getCurrentSession())?.access_token;
    const prefetched = await takePrefetchedResponse(url, init, token);
    // A response that ends early is requested again.
    const whole = prefetched === null ? null : await readWhole(prefetched).catch(() => null);
    const response = whole ?? (await send(keyed, token ?? runtimeConfig.anonKey));
    const last = await repeatWithNewToken({ response, token }, (newToken) => send(keyed, newToken));
    await inspectResponse(last);
    return last.response;
  });
};

/** Returns the last request: the first one, or its repetition with a new token after a 401. */
const repeatWithNewToken = async (
  first: SentRequest,
  send: (token: string) => Promise<Response>,
): Promise<SentRequest> => {
  if (first.response.status !== 401 || first.token === undefined) return first;
  if ((await readSessionRequirement(first.response)) !== undefined) return first;
  const token = await tokenForRetry(first.token);
  if (token === null) return first;
  const response = await send(token);
  if (response.status === 401) endLocalSession({ revoke: false });
  return { response, token };
};

/** Like `sendWithSession`, with a timeout. The response is complete. */
export const fetchWithSession = (
  url: RequestInfo | URL,
  init?: RequestInit,
  timeoutMs = timeoutFor(url, init),
): Promise<Response> =>
  withDeadline(timeoutMs, init?.signal, (deadline) => sendWithSession(deadline, url, init, fetchWhole));
