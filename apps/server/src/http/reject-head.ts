/** Responds to requests that Node cannot parse, in the format of the APIs instead of without a body. */
import http from 'node:http';
import type { Duplex } from 'node:stream';

interface Rejection {
  readonly status: number;
  readonly message: string;
}

/** By the code of the parse error. */
const rejections: Readonly<Record<string, Rejection>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The URL and the headers of the request are too long' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'The chunk extensions of the request are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
};
const invalid: Rejection = { status: 400, message: 'The request is not valid HTTP' };

/**
 * Sends the response to a request that cannot be parsed, and closes the connection. The request may not have an origin that
 * can be checked, and the response contains nothing else, so any page can read it.
 */
export function rejectHead(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The client has closed the connection.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, message } = rejections[error.code ?? ''] ?? invalid;
  const code = String(status);
  const body = JSON.stringify({ code, error_code: code, message, details: null, hint: null });
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
