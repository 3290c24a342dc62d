/** The authenticated principal of a request, from a verified token or API key. SQL checks that the session is active. */

/** Request headers by lower-case name. */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<[string, string]>;
}

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
