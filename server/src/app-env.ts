/** What the outer middleware puts into every request's context. */
export interface AppEnv {
  Variables: {
    /** Given to logs, errors and audit rows. */
    requestId: string;
    /** The peer's network address, or the client's behind a trusted proxy. */
    clientAddress: string;
  };
}
