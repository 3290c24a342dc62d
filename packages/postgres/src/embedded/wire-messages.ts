/** Message types of the wire protocol (PostgreSQL manual, "Message Formats"). */

/** Of the client. */
export const clientMessages = { query: 0x51, sync: 0x53, flush: 0x48, terminate: 0x58 } as const;

/** Of the server. */
export const serverMessages = { authentication: 0x52, errorResponse: 0x45, readyForQuery: 0x5a } as const;
