/** The context variables that the outer middleware sets for each request. */
import type { HeaderReader } from '@lanternrock/auth';

export interface AppEnv {
  Variables: {
    /** Included in logs, error responses and audit log entries. */
    requestId: string;
    /** IP address of the peer, or of the client behind a trusted proxy. */
    clientIp: string;
    /** The same headers as `c.req.raw.headers`, faster to read. */
    headers: HeaderReader;
    /** Headers of every API response. */
    responseHeaders: Readonly<Record<string, string>>;
    /** True if the handler has added `responseHeaders`, so that the middleware need not copy the response. */
    responseHeadersApplied: boolean;
  };
}
