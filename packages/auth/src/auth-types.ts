/**
 * The authenticated principal of a request, from a verified token or API key. SQL checks that the session is active.
 */

/** Request headers by lower-case name. */
export interface HeaderReader {
  get(name: string): string | null;
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<[string, string]>;
}

const databaseRoles = ['anon', 'authenticated', 'service_role'] as const;
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

/** An invalid API key or token: not valid at all (`signature`), or with claims that are not valid now (`claims`). */
export interface RejectedToken {
  readonly rejected: 'signature' | 'claims';
  readonly message: string;
}

/** Authenticates a request by `Authorization` and `apikey`. */
export type Authenticate = (headers: HeaderReader) => Promise<Principal | RejectedToken>;
