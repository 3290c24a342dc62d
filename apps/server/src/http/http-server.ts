/** An HTTP/1.1 server with limits per connection, and with a shutdown that loses no request. */
import http from 'node:http';
import net from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { Connections } from './connections.ts';
import { rejectHead, rejectRequest } from './reject-head.ts';

export interface HttpServer {
  readonly server: http.Server;
  /** Passes requests to the listener, also those that have arrived before. */
  serve(listener: http.RequestListener): void;
  /**
   * Shuts down: every response closes its connection. New connections are accepted until persistent clients have received
   * a response. Resolves when no connection is left. Remaining connections are destroyed after `maxMs`, and those that
   * were accepted at its end a second later.
   */
  drain(maxMs?: number): Promise<void>;
}

interface HttpServerOptions {
  readonly statementTimeoutMs: number;
  /** Null: no limit. */
  readonly maxConnections: number | null;
}

/**
 * Minimum time in which clients with a keep-alive connection and load balancers that poll `/ready` learn about the
 * shutdown from a response. If a connection is closed without a response, a request may already be on it.
 */
const graceMs = 500;
/** Time after which running requests are aborted. */
const maxDrainMs = 10_000;
/** Interval in which idle connections are closed during the shutdown. */
const idleCheckMs = 50;

/**
 * Time without new connections, requests and responses after which the server stops listening. Clients whose requests are
 * held do not connect again, so that a long time leaves fewer that could connect in the last moment.
 */
const quietMs = 250;
/** Time after which one turn of the event loop without them is enough. */
const maxQuietMs = 750;
/** Time after which the server stops listening in any case: it is too busy for a short turn. */
const maxHoldMs = 3000;
/** Interval in which it tries to stop listening. A process that has slept is rarely interrupted in the moment after. */
const holdCheckMs = 5;
/** Minimum time for a request that arrived just before the server stopped listening. */
const minLastMs = 1000;
/** A connection can arrive between the start of a turn, which accepts connections, and its end. */
const maxTurnMs = 0.2;

/**
 * Maximum size of a request line with its headers, in bytes. Larger than the longest URL that the Data API accepts, so that
 * it can reject a longer one itself, with a CORS header.
 */
const maxHeadBytes = 131_072;

/**
 * Closes connections whose headers (10 s) or body (60 s) do not arrive, or whose response is not read. The keep-alive
 * timeout is longer than that of common proxies, so that a proxy does not send a request on a connection that is being
 * closed. Requests wait until the server gets its listener.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const server = http.createServer({
    maxHeaderSize: maxHeadBytes,
    connectionsCheckingInterval: 5_000,
    // Node's own rejection has no body.
    requireHostHeader: false,
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  server.timeout = 120_000 + options.statementTimeoutMs;
  if (options.maxConnections !== null) server.maxConnections = options.maxConnections;
  let listener: http.RequestListener = () => {};
  const connections = new Connections((request, response) => {
    const isHostMissing = request.headers.host === undefined && request.httpVersion === '1.1';
    if (isHostMissing) rejectRequest(response, 400);
    else listener(request, response);
  });
  server.on('connection', (socket) => connections.open(socket));
  server.on('request', (request, response) => connections.add({ request, response }));
  server.on('checkExpectation', (_request, response) => rejectRequest(response, 417));
  server.on('clientError', (error, socket) => {
    if (connections.isAnswerable(socket)) rejectHead(error, socket);
    else socket.destroy();
  });
  return {
    server,
    serve: (next) => {
      listener = next;
      connections.release();
    },
    drain: (maxMs = maxDrainMs) => drain(server, connections, maxMs),
  };
}

async function drain(server: http.Server, connections: Connections, maxMs: number): Promise<void> {
  const endsAt = performance.now() + maxMs;
  const cut = (): void => server.closeAllConnections();
  const timeout = setTimeout(cut, maxMs);
  connections.startDraining();
  if (connections.count > 0) await pause(graceMs);
  while (connections.expectsRequests() && performance.now() < endsAt) await closeIdle(connections);
  await stopListening(server, connections);
  const lastTimeout = setTimeout(cut, Math.max(endsAt - performance.now(), minLastMs));
  while (connections.count > 0) await closeIdle(connections);
  clearTimeout(timeout);
  clearTimeout(lastTimeout);
}

async function closeIdle(connections: Connections): Promise<void> {
  await pause(idleCheckMs);
  // The turn of the event loop reads the bytes that have been received.
  await nextTurn();
  connections.closeIdle();
}

/**
 * Stops listening in a turn of the event loop that has accepted no connection, because the kernel resets connections that
 * wait to be accepted. Until then requests are held: a client that gets a response may connect again immediately.
 */
async function stopListening(server: http.Server, connections: Connections): Promise<void> {
  connections.hold();
  const startedAt = performance.now();
  let isQuiet = false;
  while (!isQuiet && performance.now() - startedAt < maxHoldMs) {
    await pause(holdCheckMs);
    // Accepts what has waited, so that the next turn is short.
    await nextTurn();
    const turnStartedAt = performance.now();
    await nextTurn();
    const now = performance.now();
    const turnMs = now - turnStartedAt;
    const requiredMs = now - startedAt < maxQuietMs ? quietMs : turnMs;
    isQuiet = turnMs < maxTurnMs && now - connections.lastActivity >= requiredMs;
  }
  // Not the method of the HTTP server, which also closes idle connections.
  net.Server.prototype.close.call(server);
  connections.release();
}
