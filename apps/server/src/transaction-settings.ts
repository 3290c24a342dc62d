/**
 * Creates the settings statement of a request: it sets role, claims and timeouts, and checks that the session is active.
 * It runs before the main statement in the same transaction and round trip, so an error in it rolls back everything.
 */
import { type Database, type Statement } from '@lanternrock/postgres';
import { QueryError } from '@lanternrock/postgres/errors';
import type { Principal } from './principal.ts';

export interface TransactionSettings {
  readonly principal: Principal;
  readonly readOnly: boolean;
  /** Maximum duration of a statement, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Quoted identifiers, comma-separated. */
  readonly searchPath: string;
  /** Request ID for the audit triggers. */
  readonly requestId: string;
  /** True for an unmanaged database (`MIGRATE=off`), which has no sessions of this service. */
  readonly unmanaged?: boolean;
  /** Time zone of the transaction; null keeps that of the server. */
  readonly timeZone?: string | null;
  /** Request settings that functions and policies can read; null sets none. */
  readonly requestSettings?: RequestSettings | null;
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

/** API error codes by SQLSTATE of `auth.require_live_session`. */
const sessionErrorCodes = {
  LR001: 'session_not_found',
  LR002: 'user_banned',
  LR003: 'password_not_set',
  LR004: 'insufficient_aal',
} as const;

export type SessionErrorCode = (typeof sessionErrorCodes)[keyof typeof sessionErrorCodes];

/** Returns the error code if a session check failed, or null for any other error. */
export function sessionErrorCode(error: unknown): SessionErrorCode | null {
  if (!(error instanceof QueryError)) return null;
  return sessionErrorCodes[error.code as keyof typeof sessionErrorCodes] ?? null;
}

const checkSession = 'auth.require_live_session($1, $2, $10)';
const noSession = '($1::text, $2::text, $10::text) is null';
const settings = [
  `set_config('request.jwt.claims', $3, true)`,
  `set_config('request.id', $4, true)`,
  `set_config('search_path', $5, true)`,
  `set_config('statement_timeout', $6, true)`,
  `set_config('transaction_read_only', $7, true)`,
  `set_config('timezone', coalesce($8, current_setting('timezone')), true)`,
  // JIT compilation of a read with many embeds exceeded the statement timeout, although the read took milliseconds.
  `set_config('jit', 'off', true)`,
];
const requestSettingSteps = [
  `set_config('request.method', $11, true)`,
  `set_config('request.path', $12, true)`,
  `set_config('request.headers', $13, true)`,
  `set_config('request.cookies', $14, true)`,
];
/** A superuser session could reset its role, so its transactions also change the session authorization. */
const dropSuperuser = `set_config('session_authorization', 'authenticator', true)`;
/** Platform administrators have a separate role, which an unmanaged database does not have. */
const managedRole = 'private.request_role($9, $2)';
const unmanagedRole = '$9';

/**
 * Returns the SQL text. The session check runs first, with the permissions of the database user; the role is set last.
 * `num_nonnulls` reduces the set values to one number in the result.
 */
function buildSettingsText(superuser: boolean, unmanaged: boolean, withRequestSettings: boolean): string {
  const steps = [
    unmanaged ? noSession : checkSession,
    ...settings,
    ...(withRequestSettings ? requestSettingSteps : []),
    ...(superuser ? [dropSuperuser] : []),
  ];
  return `select num_nonnulls(\n  ${steps.join(',\n  ')}),
  set_config('role', ${unmanaged ? unmanagedRole : managedRole}, true)`;
}

/** SQL texts by variant. Reusing the string object avoids hashing it again for every cache lookup. */
const texts = new Map<number, string>();

function settingsText(superuser: boolean, unmanaged: boolean, withRequestSettings: boolean): string {
  const key = Number(superuser) + 2 * Number(unmanaged) + 4 * Number(withRequestSettings);
  let text = texts.get(key);
  if (text === undefined)
    texts.set(key, (text = buildSettingsText(superuser, unmanaged, withRequestSettings)));
  return text;
}

/** Returns the first statement of a request's batch. */
export function settingsStatement(database: Database, scope: TransactionSettings): Statement {
  const { requestSettings = null } = scope;
  return {
    text: settingsText(database.superuser, scope.unmanaged ?? false, requestSettings !== null),
    values: [
      scope.principal.sessionId,
      scope.principal.userId,
      scope.principal.claims,
      scope.requestId,
      scope.searchPath,
      String(scope.statementTimeoutMs),
      scope.readOnly ? 'on' : 'off',
      scope.timeZone ?? null,
      scope.principal.role,
      scope.principal.aal,
      ...(requestSettings
        ? [requestSettings.method, requestSettings.path, requestSettings.headers, requestSettings.cookies]
        : []),
    ],
  };
}
