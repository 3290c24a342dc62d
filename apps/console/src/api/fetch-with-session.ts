/** Requests with the user's access token, of the Data API, the Functions API and some endpoints of the Auth API. */
import { buildHeader, consoleClientInfo } from '@lanternrock/contract/runtime';
import { endLocalSession, getCurrentSession, runtimeConfig, tokenForRetry } from './current-session.ts';
import { type Deadline, fetchWhole, readWhole, timeoutFor, withDeadline } from './deadline.ts';
import { withIdempotencyKey } from './idempotency-keys.ts';
import { fieldOf } from './json.ts';
import { takePrefetchedResponse } from './prefetch.ts';

/** A step that the service requires before it accepts other requests of the session. */
export type SessionRequirement = 'password_not_set' | 'insufficient_aal';
const sessionRequirements: readonly string[] = [
  'password_not_set',
  'insufficient_aal',
] satisfies SessionRequirement[];
const isSessionRequirement = (code: unknown): code is SessionRequirement =>
  typeof code === 'string' && sessionRequirements.includes(code);

type RequirementListener = (requirement: SessionRequirement, rejectedToken: string) => void;
const requirementListeners = new Set<RequirementListener>();

/** Calls `listener` when the service rejects a request with this token because of a session requirement. */
export const onSessionRequirement = (listener: RequirementListener): (() => void) => {
  requirementListeners.add(listener);
  return () => requirementListeners.delete(listener);
};

/**
 * Returns the session requirement in an error response, if any. The Auth API sends the HTTP status as `code`
 * and the error code as `error_code`.
 */
const readSessionRequirement = async (response: Response): Promise<SessionRequirement | undefined> => {
  try {
    const body: unknown = await response.clone().json();
    return [fieldOf(body, 'code'), fieldOf(body, 'error_code')].find(isSessionRequirement);
  } catch {
    // The body is not JSON, so a proxy sent it. The caller handles the response.
    return undefined;
  }
};

let staleBuild = false;

/** Returns true if a response came from a different build of the console than this document. */
export const isStaleBuild = (): boolean => staleBuild;

/** Reports a session requirement and a different build. */
const inspectResponse = async (response: Response, token: string | undefined): Promise<void> => {
  const build = response.headers.get(buildHeader);
  if (build !== null && runtimeConfig.build !== '' && build !== runtimeConfig.build) staleBuild = true;
  if (response.status !== 403 || token === undefined) return;
  const requirement = await readSessionRequirement(response);
  if (requirement !== undefined) for (const listener of requirementListeners) listener(requirement, token);
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
    let token = (await getCurrentSession())?.access_token;
    const prefetched = await takePrefetchedResponse(url, init, token);
    // A response that ends early is requested again.
    const whole = prefetched === null ? null : await readWhole(prefetched).catch(() => null);
    const first = whole ?? (await send(keyed, token ?? runtimeConfig.anonKey));
    const response = await repeatWithNewToken(first, token, (newToken) => {
      token = newToken;
      return send(keyed, newToken);
    });
    await inspectResponse(response, token);
    return response;
  });
};

const repeatWithNewToken = async (
  response: Response,
  token: string | undefined,
  send: (token: string) => Promise<Response>,
): Promise<Response> => {
  if (response.status !== 401 || token === undefined) return response;
  if ((await readSessionRequirement(response)) !== undefined) return response;
  const retryToken = await tokenForRetry(token);
  if (retryToken === null) return response;
  const repeated = await send(retryToken);
  if (repeated.status === 401) endLocalSession({ revoke: false });
  return repeated;
};

/** Like `sendWithSession`, with a time limit in milliseconds. The response is complete. */
export const fetchWithSession = (
  url: RequestInfo | URL,
  init?: RequestInit,
  timeoutMs = timeoutFor(url, init),
): Promise<Response> =>
  withDeadline(timeoutMs, init?.signal, (deadline) => sendWithSession(deadline, url, init, fetchWhole));
