/** Request settings for database functions, if REQUEST_SETTINGS is on. */
import { parse } from 'hono/utils/cookie';
import type { RequestSettings } from '../transaction-settings.ts';
import type { RestRequest } from './parse/rest-request.ts';

/**
 * Returns the request settings of PostgREST (`request.headers`, `request.cookies` and others). Cookies are separate
 * from the other headers.
 */
export function readRequestSettings({ method, name, call, headers }: RestRequest): RequestSettings {
  const { cookie = '', ...others } = Object.fromEntries(headers);
  return {
    method,
    path: `${call ? '/rpc' : ''}/${name}`,
    headers: JSON.stringify(others),
    cookies: JSON.stringify(parse(cookie)),
  };
}
