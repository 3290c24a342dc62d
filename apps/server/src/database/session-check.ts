/** The session check in the database: its functions, and the errors that it raises. */
import { QueryError } from '@lanternrock/postgres/errors';

/** Functions of db/platform and db/migrations that the Data API calls before each statement. */
export const sessionFunctions = {
  checkSession: 'auth.require_live_session',
  requestRole: 'private.request_role',
  elevatedRoles: ['platform_administrator'],
};

/** Error codes of the Auth API and the Functions API by SQLSTATE of `auth.require_live_session`. */
const sessionErrorCodes = {
  LR001: 'session_not_found',
  LR002: 'user_banned',
  LR003: 'password_not_set',
  LR004: 'insufficient_aal',
} as const;

type SessionErrorCode = (typeof sessionErrorCodes)[keyof typeof sessionErrorCodes];

/** Responses of the Data API by SQLSTATE. PGRST303 is the code of PostgREST for a token that is not valid now. */
export const restSessionErrors = {
  LR001: { status: 401, code: 'PGRST303' },
  LR002: { status: 401, code: 'PGRST303' },
  LR003: { status: 403, code: sessionErrorCodes.LR003 },
  LR004: { status: 403, code: sessionErrorCodes.LR004 },
};

/** Returns the error code if a session check failed, or null for any other error. */
export function sessionErrorCode(error: unknown): SessionErrorCode | null {
  if (!(error instanceof QueryError)) return null;
  return sessionErrorCodes[error.code as keyof typeof sessionErrorCodes] ?? null;
}
