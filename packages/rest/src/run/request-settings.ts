/**
 * Creates the settings statement of a request: it sets role, claims and timeouts, and checks that the session is active.
 * It runs before the main statement in the same transaction and round trip, so an error in it rolls back everything.
 */
import { parseCookie } from 'cookie';
import { type Database, type Statement } from '@lanternrock/postgres';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { Principal } from '../rest-types.ts';

/** SQL functions of the service that runs the database. */
export interface SessionFunctions {
  /** Name of the function `(session_id text, user_id text, aal text)` that raises an error for an ended session. */
  readonly checkSession: string;
  /** Name of the function `(role text, user_id text)` that returns the database role of the request. */
  readonly requestRole: string;
  /** Roles that `requestRole` returns for some requests of the role `authenticated`. */
  readonly elevatedRoles: readonly string[];
}

export interface TransactionSettings {
  readonly principal: Principal;
  readonly readOnly: boolean;
  /** Maximum duration of a statement, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Quoted identifiers, comma-separated. */
  readonly searchPath: string;
  /** Request ID for the audit triggers. */
  readonly requestId: string;
  /** Kind of the client, for the audit triggers. */
  readonly origin: string;
  /** Time zone of the transaction; null keeps that of the server. */
  readonly timeZone: string | null;
  /** Request settings that functions and policies can read; null sets none. */
  readonly requestSettings: RequestSettings | null;
}

/** Transaction-scoped request settings with the names and formats of PostgREST. */
export interface RequestSettings {
  readonly method: string;
  readonly path: string;
  /** JSON object of strings, with lower-case header names and without cookies. */
  readonly headers: string;
  /** JSON object of strings. */
  readonly cookies: string;
}

/** Returns the request settings. Cookies are separate from the other headers. */
export function readRequestSettings({ method, name, call, headers }: ParsedRequest): RequestSettings {
  const { cookie = '', ...others } = Object.fromEntries(headers);
  return {
    method,
    path: `${call ? '/rpc' : ''}/${name}`,
    headers: JSON.stringify(others),
    cookies: JSON.stringify(parseCookie(cookie)),
  };
}

const settings = [
  `set_config('request.jwt.claims', $3, true)`,
  `set_config('request.id', $4, true)`,
  `set_config('request.origin', $11, true)`,
  `set_config('search_path', $5, true)`,
  `set_config('statement_timeout', $6, true)`,
  `set_config('transaction_read_only', $7, true)`,
  `set_config('timezone', coalesce($8, current_setting('timezone')), true)`,
  // JIT compilation of a read with many embeds exceeded the statement timeout, although the read took milliseconds.
  `set_config('jit', 'off', true)`,
];
const requestSettingSteps = [
  `set_config('request.method', $12, true)`,
  `set_config('request.path', $13, true)`,
  `set_config('request.headers', $14, true)`,
  `set_config('request.cookies', $15, true)`,
];
/** A superuser session could reset its role, so its transactions also change the session authorization. */
const dropSuperuser = `set_config('session_authorization', 'authenticator', true)`;

/**
 * Returns the SQL text. The session check runs first, with the permissions of the database user; the role is set last.
 * `num_nonnulls` reduces the set values to one number in the result.
 */
function buildText(
  superuser: boolean,
  functions: SessionFunctions | null,
  withRequestSettings: boolean,
): string {
  const steps = [
    functions ? `${functions.checkSession}($1, $2, $10)` : '($1::text, $2::text, $10::text) is null',
    ...settings,
    ...(withRequestSettings ? requestSettingSteps : []),
    ...(superuser ? [dropSuperuser] : []),
  ];
  return `select num_nonnulls(\n  ${steps.join(',\n  ')}),
  set_config('role', ${functions ? `${functions.requestRole}($9, $2)` : '$9'}, true)`;
}

/** Returns the first statement of a request's batch. */
export type CreateSettingsStatement = (transaction: TransactionSettings) => Statement;

/** Creates the texts once: reusing a string object avoids hashing it again for every cache lookup. */
export function settingsStatements(
  { superuser }: Pick<Database, 'superuser'>,
  functions: SessionFunctions | null,
): CreateSettingsStatement {
  const plainText = buildText(superuser, functions, false);
  const requestText = buildText(superuser, functions, true);
  return (transaction) => {
    const { principal, requestSettings } = transaction;
    return {
      text: requestSettings ? requestText : plainText,
      values: [
        principal.sessionId,
        principal.userId,
        principal.claims,
        transaction.requestId,
        transaction.searchPath,
        String(transaction.statementTimeoutMs),
        transaction.readOnly ? 'on' : 'off',
        transaction.timeZone,
        principal.role,
        principal.aal,
        transaction.origin,
        ...(requestSettings
          ? [requestSettings.method, requestSettings.path, requestSettings.headers, requestSettings.cookies]
          : []),
      ],
    };
  };
}
