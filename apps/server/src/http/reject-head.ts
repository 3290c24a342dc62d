/** Responds to requests that no handler gets, in the format of the APIs instead of without a body. */
import http from 'node:http';
import type { Duplex } from 'node:stream';

/** By the code of the parse error. */
const statuses: Readonly<Record<string, keyof typeof messages>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const messages = {
  400: 'The request is not valid HTTP',
  408: 'The request did not arrive in time',
  413: 'The chunk extensions of the request are too long',
  417: 'The expectation of the request is not supported',
  431: 'The URL and the headers of the request are too long',
  500: 'Unexpected failure',
} as const;

interface Rejection {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/**
 * Creates the response, after which the connection is closed. The request may not have an origin that can be checked, and
 * the response contains nothing else, so any page can read it.
 */
export function rejection(status: keyof typeof messages): Rejection {
  const code = String(status);
  const body = JSON.stringify({
    code,
    error_code: code,
    message: messages[status],
    details: null,
    hint: null,
  });
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    },
    body,
  };
}

/** Responds to a request that Node cannot parse. */
export function rejectHead(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The client has closed the connection.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, headers, body } = rejection(statuses[error.code ?? ''] ?? 400);
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/** Responds to a request that Node can parse. */
export function rejectRequest(response: http.ServerResponse, reason: 400 | 417): void {
  const { status, headers, body } = rejection(reason);
  response.writeHead(status, headers).end(body);
}
