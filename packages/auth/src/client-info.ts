/** The client of a request. */

/** Maximum length of a stored user agent, in UTF-16 code units. Longer ones are cut. */
export const maxUserAgentLength = 500;

/** As stored with sessions and audit log entries. */
export interface ClientInfo {
  /** '' if unknown. */
  readonly ip: string;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** Kind of the client, passed to audit triggers as the setting `request.origin`; undefined for the service. */
  readonly origin?: string;
}

/** The Hono environment of the routes: `handle` of the service passes the client with each request. */
export interface AuthEnv {
  Bindings: { readonly client: ClientInfo };
}
