/** Adds a session, a code, a message or an error to a redirect URL. */
import type { AuthError } from '../auth-error.ts';

/** Adds the code of a PKCE flow to the query. */
export function redirectWithCode(redirect: URL, code: string): string {
  const url = new URL(redirect);
  url.searchParams.set('code', code);
  return url.href;
}

/**
 * Adds parameters to the fragment, which servers do not see; those in `inQuery` also to the query. The empty parameter
 * `sb` marks the redirects of Supabase Auth.
 */
export function redirectWithFragment(
  redirect: URL,
  values: Readonly<Record<string, unknown>>,
  inQuery: readonly string[] = [],
): string {
  const url = new URL(redirect);
  for (const name of inQuery) url.searchParams.set(name, String(values[name]));
  const fragment = new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  );
  url.hash = fragment.toString();
  return url.href;
}

const errorNames: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
};

/**
 * Adds an error in the format of Supabase Auth.
 *
 * @param errorName parameter `error`; by default that of the status, if it has one
 */
export function redirectWithError(
  redirect: URL,
  error: AuthError,
  inQuery: boolean,
  errorName = errorNames[error.status],
): string {
  const values = {
    ...(errorName === undefined ? {} : { error: errorName }),
    error_code: error.code,
    error_description: error.message,
    sb: '',
  };
  return redirectWithFragment(
    redirect,
    values,
    inQuery ? Object.keys(values).filter((name) => name !== 'sb') : [],
  );
}
