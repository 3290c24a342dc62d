import type { RequestHeaders } from './app-env.ts';

/** Who asks, as far as the signature of a token or a key tells. Whether the session still lives is read in SQL. */
export const databaseRoles = ['anon', 'authenticated', 'service_role'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

export interface Principal {
  /** The database role of the request; only these three can be assumed. */
  readonly role: DatabaseRole;
  /** Claims with `role` filled in, as JSON text for `request.jwt.claims`. */
  readonly claims: string;
  /** `sub`, a UUID; null for API keys. */
  readonly userId: string | null;
  /** `session_id`, a UUID; null for API keys and for tokens without a session. */
  readonly sessionId: string | null;
  /** `aal`, the assurance level that the token was made with; null without one. */
  readonly aal: string | null;
  /** `exp` in Unix seconds; null when the key does not expire. */
  readonly expiresAt: number | null;
}

/**
 * Reads `Authorization` and `apikey` of a request.
 * @throws ApiError 401 with the data interface's codes (PGRST301, PGRST303); the auth service maps
 *   them to its own.
 */
export type Authenticate = (headers: RequestHeaders) => Promise<Principal>;
