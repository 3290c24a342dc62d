/** A request as functions of the database may read it, where REQUEST_SETTINGS is on. */
import { parse } from 'hono/utils/cookie';
import type { ToldRequest } from '../database/request-scope.ts';
import type { DataRequest } from './parse/data-request.ts';

/** Wire contract, "Per-request transaction": cookies stand apart from the other headers. */
export function tellRequest({ method, name, call, headers }: DataRequest): ToldRequest {
  const { cookie = '', ...others } = Object.fromEntries(headers);
  return {
    method,
    path: `${call ? '/rpc' : ''}/${name}`,
    headers: JSON.stringify(others),
    cookies: JSON.stringify(parse(cookie)),
  };
}
