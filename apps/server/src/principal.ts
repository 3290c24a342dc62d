/**
 * The authenticated principal of a request, from a verified token or API key. SQL checks that the session is active.
 */

/** Request headers by lower-case name. */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<[string, string]>;
}

export const databaseRoles = ['anon', 'authenticated', 'service_role'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

export interface Principal {
  /** The database role of the request; no other role can be assumed. */
  readonly role: DatabaseRole;
  /** Claims including `role`, as JSON text for `request.jwt.claims`. */
  readonly claims: string;
  /** `sub`, a UUID; null for API keys. */
  readonly userId: string | null;
  /** `session_id`, a UUID; null for API keys and for tokens without a session. */
  readonly sessionId: string | null;
  /** Claim `aal`, the assurance level of the token; null without one. */
  readonly aal: string | null;
  /** Claim `exp` in Unix seconds; null for API keys. */
  readonly expiresAt: number | null;
}

/**
 * Authenticates a request by `Authorization` and `apikey`.
 *
 * @throws ApiError 401 with the codes of PostgREST (PGRST301, PGRST303); the Functions API maps them to its own
 */
export type Authenticate = (headers: RequestHeaders) => Promise<Principal>;
