/** Adds a code, a session, a message or an error to a redirect URL. */
import type { AuthError } from '../auth-error.ts';

/** Adds the code of a PKCE flow to the query. */
export function addCode(redirect: URL, code: string): string {
  const url = new URL(redirect);
  url.searchParams.set('code', code);
  return url.href;
}

/**
 * Replaces the fragment with a session and further values.
 *
 * @param tokenResponse result of `buildTokenResponse`
 */
export function addSession(
  redirect: URL,
  tokenResponse: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): string {
  const { access_token, expires_at, expires_in, refresh_token } = tokenResponse;
  return addFragment(redirect, {
    ...values,
    access_token,
    expires_at,
    expires_in,
    refresh_token,
    token_type: 'bearer',
  });
}

/**
 * Replaces the fragment, which servers do not receive. Adds the empty parameter `sb`, which marks the redirects of
 * Supabase Auth. Like Supabase Auth, sorts the parameters by name.
 *
 * @param inQuery names of values to add to the query as well
 */
export function addFragment(
  redirect: URL,
  values: Readonly<Record<string, unknown>>,
  inQuery: readonly string[] = [],
): string {
  const url = new URL(redirect);
  for (const name of inQuery) url.searchParams.set(name, String(values[name]));
  const parameters: Readonly<Record<string, unknown>> = { ...values, sb: '' };
  const fragment = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  fragment.sort();
  url.hash = fragment.toString();
  return url.href;
}

const errorNames: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized_client'],
  [403, 'access_denied'],
  [500, 'server_error'],
  [503, 'temporarily_unavailable'],
]);

/** Returns the `error` parameter of Supabase Auth for a status, or undefined if the status has none. */
export const findErrorName = (status: number): string | undefined => errorNames.get(status);

/**
 * Adds an error in the format of Supabase Auth.
 *
 * @param alsoInQuery true to add the error to the query as well: in the PKCE flow, and always in an OAuth flow
 * @param errorName value of the parameter `error`; the default is the name for the status, if there is one
 */
export function addError(
  redirect: URL,
  error: AuthError,
  alsoInQuery: boolean,
  errorName = findErrorName(error.status),
): string {
  const values = {
    ...(errorName === undefined ? {} : { error: errorName }),
    error_code: error.code,
    error_description: error.message,
  };
  return addFragment(redirect, values, alsoInQuery ? Object.keys(values) : []);
}
