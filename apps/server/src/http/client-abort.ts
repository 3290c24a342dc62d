/** Whether a request's body ended with its connection: nobody is there to be answered, and nothing is wrong here. */
export const isClientAbort = (error: unknown): boolean =>
  // Node's words for it (`abortIncoming`); a connection of our own that is reset says something else.
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
