/** What a browser brings along where it is sent on to: a session, a code, a message or an error. */
import type { ApiError } from '../../errors.ts';

/** The code of a PKCE flow, for the script that holds its verifier. */
export function redirectWithCode(redirect: URL, code: string): string {
  const url = new URL(redirect);
  url.searchParams.set('code', code);
  return url.href;
}

/** Parameters in the fragment, which no server sees; those named in `inQuery` also in the query. */
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
 * The contract's way of telling an error through a redirect (1.5).
 * @param error the parameter of that name; by default the status' own, or none
 */
export function redirectWithError(
  redirect: URL,
  refusal: ApiError,
  inQuery: boolean,
  error = errorNames[refusal.status],
): string {
  const values = {
    ...(error === undefined ? {} : { error }),
    error_code: refusal.code,
    error_description: refusal.message,
    sb: '',
  };
  return redirectWithFragment(
    redirect,
    values,
    inQuery ? Object.keys(values).filter((name) => name !== 'sb') : [],
  );
}
