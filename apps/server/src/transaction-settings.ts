/**
 * The settings statement that precedes every request's own statement in the same round trip: role,
 * claims, limits, and the check that the session still lives. An error in it undoes everything.
 */
import { type Database, type Statement } from '@lanternrock/postgres';
import { QueryError } from '@lanternrock/postgres/errors';
import type { Principal } from './principal.ts';

export interface TransactionSettings {
  readonly identity: Principal;
  readonly readOnly: boolean;
  /** Milliseconds for one statement. */
  readonly statementTimeout: number;
  /** Quoted identifiers, comma-separated. */
  readonly searchPath: string;
  /** Recorded by the audit triggers. */
  readonly requestId: string;
  /** True on a database that somebody else migrates: it knows nothing of our sessions. */
  readonly unmanaged?: boolean;
  /** Time zone of the transaction; null keeps the server's. */
  readonly timeZone?: string | null;
  /** What functions and policies may read of the request itself; null tells them nothing. */
  readonly requestSettings?: RequestSettings | null;
}

/** As PostgREST names and spells it. */
export interface RequestSettings {
  readonly method: string;
  readonly path: string;
  /** JSON objects of texts; header names in lower case, without cookies. */
  readonly headers: string;
  readonly cookies: string;
}

/** SQLSTATEs raised by `auth.require_live_session`, with the code each interface answers. */
const sessionRefusals = {
  LR001: 'session_not_found',
  LR002: 'user_banned',
  LR003: 'password_not_set',
  LR004: 'insufficient_aal',
} as const;

export type SessionErrorCode = (typeof sessionRefusals)[keyof typeof sessionRefusals];

/** The session rule that a failed batch broke, or null for any other failure. */
export function sessionErrorCode(error: unknown): SessionErrorCode | null {
  if (!(error instanceof QueryError)) return null;
  return sessionRefusals[error.code as keyof typeof sessionRefusals] ?? null;
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
  // A read with many embeds took longer to compile than its time limit, and milliseconds to run.
  `set_config('jit', 'off', true)`,
];
const readRequestSettings = [
  `set_config('request.method', $11, true)`,
  `set_config('request.path', $12, true)`,
  `set_config('request.headers', $13, true)`,
  `set_config('request.cookies', $14, true)`,
];
/** A superuser's session could take its role back, so its request transactions give the login up as well. */
const giveUpLogin = `set_config('session_authorization', 'authenticator', true)`;
/** Platform administrators read in a role of their own; somebody else's database has no such role. */
const role = 'private.request_role($9, $2)';
const foreignRole = '$9';

/**
 * The order counts: the session is looked up while the login role still holds, the role comes last. What was set
 * is counted, so that it need not travel back.
 */
function settingsText(superuser: boolean, foreign: boolean, told: boolean): string {
  const steps = [
    foreign ? noSession : checkSession,
    ...settings,
    ...(told ? readRequestSettings : []),
    ...(superuser ? [giveUpLogin] : []),
  ];
  return `select num_nonnulls(\n  ${steps.join(',\n  ')}),
  set_config('role', ${foreign ? foreignRole : role}, true)`;
}

/** The few texts that there are, made once: a text that is made anew is also hashed anew wherever it is looked up. */
const madeTexts = new Map<number, string>();

function textFor(superuser: boolean, foreign: boolean, told: boolean): string {
  const key = Number(superuser) + 2 * Number(foreign) + 4 * Number(told);
  let text = madeTexts.get(key);
  if (text === undefined) madeTexts.set(key, (text = settingsText(superuser, foreign, told)));
  return text;
}

/** The first statement of a request's batch. */
export function settingsStatement(database: Database, scope: TransactionSettings): Statement {
  const { requestSettings = null } = scope;
  return {
    text: textFor(database.superuser, scope.unmanaged ?? false, requestSettings !== null),
    values: [
      scope.identity.sessionId,
      scope.identity.userId,
      scope.identity.claims,
      scope.requestId,
      scope.searchPath,
      String(scope.statementTimeout),
      scope.readOnly ? 'on' : 'off',
      scope.timeZone ?? null,
      scope.identity.role,
      scope.identity.aal,
      ...(requestSettings
        ? [requestSettings.method, requestSettings.path, requestSettings.headers, requestSettings.cookies]
        : []),
    ],
  };
}
