/** Returns true if the client disconnected while sending the request body. This is not a server error. */
export const isClientAbort = (error: unknown): boolean =>
  // The error of Node's `abortIncoming`. A reset of the service's own connections has another message.
  error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted';
