/** Types of the Data API's interface: requests, responses and principals as plain data. */

export const databaseRoles = ['anon', 'authenticated', 'service_role'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** The authenticated client of a request. SQL checks that the session is active. */
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
}

/** An invalid API key or token: not valid at all (`signature`), or with claims that are not valid now (`claims`). */
export interface RejectedToken {
  readonly rejected: 'signature' | 'claims';
  readonly message: string;
}

/** Authenticates a request by its headers. */
export type Authenticate = (headers: HeaderReader) => Promise<Principal | RejectedToken>;

/** Request headers by lower-case name. */
export interface HeaderReader {
  get(name: string): string | null;
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<[string, string]>;
}

export interface RestRequest {
  readonly method: string;
  /** Encoded path behind the mount path, for example `/relation` or `/rpc/name`. */
  readonly path: string;
  /** Encoded query string without `?`. */
  readonly query: string;
  readonly headers: HeaderReader;
  /** Passed to audit triggers as the setting `request.id`. */
  readonly requestId: string;
  /** Kind of the client, passed to audit triggers as the setting `request.origin`. */
  readonly origin: string;
  /** Reads the body, whose size the server has limited. */
  readBody(): Promise<ArrayBuffer>;
  /**
   * Registers a listener for the client's disconnect, which cancels a read.
   *
   * @returns a function that removes the listener
   */
  onClientAbort(listener: () => void): () => void;
}

/** A response as plain data, which is cheap to create and can be stored. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}
