/** An HTTP/1.1 server with limits per connection, and with a graceful shutdown. */
import http from 'node:http';
import type net from 'node:net';
import type { Duplex } from 'node:stream';
import { rejectHead } from './reject-head.ts';

export interface HttpServer {
  readonly server: http.Server;
  /** Replaces the listener that responds to requests. */
  setListener(listener: http.RequestListener): void;
  /**
   * Shuts down: every response closes its connection. New connections are accepted for `graceMs`; then idle ones are
   * closed. Resolves when no connection is left. Remaining connections are destroyed after `maxDrainMs`.
   */
  drain(): Promise<void>;
}

interface HttpServerOptions {
  readonly statementTimeoutMs: number;
  /** Null: no limit. */
  readonly maxConnections: number | null;
}

/**
 * Time in which clients with a keep-alive connection and load balancers that poll `/ready` learn about the shutdown
 * from a response. If a connection is closed without a response, a request may already be on it.
 */
const graceMs = 500;
/** Time after which running requests are aborted. */
const maxDrainMs = 10_000;
/**
 * Maximum number of pending requests of one connection. Browsers and proxies send one at a time. Node reads up to 64 kB
 * before a pause takes effect, which can contain more than 2000 requests with several megabytes of objects.
 */
const maxPending = 64;
/** Interval in which idle connections are closed during the shutdown. */
const idleCheckMs = 50;
/** Time after which a connection without a request counts as idle: its first request can still be on the way. */
const firstRequestMs = 1000;

/**
 * Maximum size of a request line with its headers, in bytes. Larger than the longest URL that the Data API accepts, so that
 * it can reject a longer one itself, with a CORS header.
 */
const maxHeadBytes = 131_072;

interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

/**
 * Closes connections whose headers (10 s) or body (60 s) do not arrive, or whose response is not read. The keep-alive
 * timeout is longer than that of common proxies, so that a proxy does not send a request on a connection that is being
 * closed.
 */
export function createHttpServer(
  options: HttpServerOptions,
  initialListener: http.RequestListener,
): HttpServer {
  const server = http.createServer({ maxHeaderSize: maxHeadBytes, connectionsCheckingInterval: 5_000 });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  server.timeout = 120_000 + options.statementTimeoutMs;
  if (options.maxConnections !== null) server.maxConnections = options.maxConnections;
  let listener = initialListener;
  const queues = new ConnectionQueues((request, response) => listener(request, response));
  server.on('connection', (socket) => queues.open(socket));
  server.on('request', (request, response) => queues.add({ request, response }));
  server.on('clientError', (error, socket) => {
    if (queues.isAnswerable(socket)) rejectHead(error, socket);
    else socket.destroy();
  });
  return {
    server,
    setListener: (next) => {
      listener = next;
    },
    drain: () => drain(server, queues),
  };
}

async function drain(server: http.Server, queues: ConnectionQueues): Promise<void> {
  queues.startDraining();
  const closed = new Promise<void>((resolve) => {
    // Immediate callbacks run right after the event loop has accepted connections. The kernel resets the connections
    // that wait to be accepted when the server stops listening.
    const stopListening = (): void => void setImmediate(() => server.close(() => resolve()));
    setTimeout(stopListening, queues.connections === 0 ? 0 : graceMs);
  });
  const closeIdle = (): void => {
    if (server.listening) return;
    server.closeIdleConnections();
    queues.closeUnused();
  };
  const idleCheck = setInterval(closeIdle, idleCheckMs);
  const timeout = setTimeout(() => server.closeAllConnections(), maxDrainMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(timeout);
}

/**
 * Runs the pipelined requests of each connection sequentially. While requests are queued, the socket is paused, and
 * each queued request runs in a later turn of the event loop, so that a client with many pipelined requests does not
 * delay other clients. A connection with more than `maxPending` requests is closed.
 */
class ConnectionQueues {
  readonly #listener: http.RequestListener;
  /** The first exchange of each queue runs, the others wait. */
  readonly #queues = new Map<net.Socket, Exchange[]>();
  readonly #acceptedAt = new WeakMap<net.Socket, number>();
  #draining = false;

  constructor(listener: http.RequestListener) {
    this.#listener = listener;
  }

  get connections(): number {
    return this.#queues.size;
  }

  /**
   * Returns true if an error of the connection is that of the only request whose response is due and not begun: the client
   * takes the next bytes for the response to its first request.
   */
  isAnswerable(socket: Duplex): boolean {
    const [first, second] = this.#queues.get(socket as net.Socket) ?? [];
    if (first === undefined) return true;
    return second === undefined && !first.request.complete && !first.response.headersSent;
  }

  open(socket: net.Socket): void {
    const queue: Exchange[] = [];
    this.#queues.set(socket, queue);
    this.#acceptedAt.set(socket, performance.now());
    socket.once('close', () => {
      this.#queues.delete(socket);
      // Node emits `close` only for the running response, but the metrics count requests until this event.
      for (const { response } of queue.splice(1)) response.emit('close');
    });
    // Node resumes the socket after each request body.
    socket.on('resume', () => {
      if (queue.length > 1) socket.pause();
    });
  }

  add(exchange: Exchange): void {
    const { socket } = exchange.request;
    const queue = this.#queues.get(socket);
    if (!queue) return;
    queue.push(exchange);
    if (queue.length === 1) this.#run(socket, queue);
    else if (queue.length > maxPending) socket.destroy();
    else socket.pause();
  }

  #run(socket: net.Socket, queue: Exchange[]): void {
    const [exchange] = queue;
    if (!exchange || socket.destroyed) return;
    if (this.#draining) closeAfterLast(queue);
    exchange.response.once('close', () => {
      queue.shift();
      if (socket.destroyed) return;
      if (queue.length < 2) socket.resume();
      if (queue.length > 0) setImmediate(() => this.#run(socket, queue));
    });
    this.#listener(exchange.request, exchange.response);
  }

  startDraining(): void {
    this.#draining = true;
    for (const queue of this.#queues.values()) closeAfterLast(queue);
  }

  /** Closes older connections that have received no byte, which Node does not treat as idle. */
  closeUnused(): void {
    const acceptedBefore = performance.now() - firstRequestMs;
    for (const socket of this.#queues.keys()) {
      if (socket.bytesRead === 0 && (this.#acceptedAt.get(socket) ?? 0) < acceptedBefore) socket.destroy();
    }
  }
}

/** Closes the connection after the response to its last request. */
function closeAfterLast([running, ...queued]: readonly Exchange[]): void {
  if (running && queued.length === 0 && !running.response.headersSent)
    running.response.shouldKeepAlive = false;
}
