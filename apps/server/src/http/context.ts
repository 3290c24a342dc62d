import type { RequestHeaders } from '../principal.ts';

/** What the outer middleware puts into every request's context. */
export interface AppEnv {
  Variables: {
    /** Given to logs, errors and audit rows. */
    requestId: string;
    /** The peer's network address, or the client's behind a trusted proxy. */
    clientIp: string;
    /** The same headers as `c.req.raw.headers`, cheaper to read. */
    headers: RequestHeaders;
    /** Headers that every answer of the interfaces carries. */
    responseHeaders: Readonly<Record<string, string>>;
    /** Set by who put `answerHeaders` into its answer, so that nobody opens the answer again for them. */
    responseHeadersApplied: boolean;
  };
}
