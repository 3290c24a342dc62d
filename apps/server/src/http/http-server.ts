/**
 * An HTTP/1.1 server that bounds what one connection takes, in time and in requests, and that stops without cutting a
 * request.
 */
import http from 'node:http';
import type net from 'node:net';

export interface HttpServer {
  readonly server: http.Server;
  /** Replaces the listener that responds to requests. */
  respondBy(listener: http.RequestListener): void;
  /**
   * Stops: every response ends its connection. For `graceMs` new connections are accepted; then idle ones are closed.
   * Resolves when no connection is left. Those that are left after `maxMs` are cut.
   */
  drain(): Promise<void>;
}

export interface HttpServerOptions {
  readonly statementTimeoutMs: number;
  /** Null for no maximum. */
  readonly maxConnections: number | null;
}

/**
 * Milliseconds in which clients with a kept connection, and a balancer that asks `/ready`, learn of the stop by a
 * response: a connection that is closed earlier may carry a request already.
 */
const graceMs = 500;
/** Milliseconds until a request that still runs is cut. */
const maxMs = 10_000;
/**
 * Maximum of requests that one connection may have here unanswered. Browsers and proxies send one at a time. Node reads
 * up to 64 kB before a pause takes effect, which holds more than 2000 requests and several megabytes of objects.
 */
const maxUnanswered = 64;
/** Milliseconds between two searches for connections that became idle. */
const idleCheckMs = 50;

interface Turn {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

/**
 * Connections end by a head that does not come (10 s), a body that does not (60 s), or a response that the client
 * does not read. Idle ones are kept for longer than proxies keep them, so that a proxy never writes into one that is
 * just being closed.
 */
export function createHttpServer(options: HttpServerOptions, first: http.RequestListener): HttpServer {
  const server = http.createServer({ maxHeaderSize: 32_768, connectionsCheckingInterval: 5_000 });
  server.headersTimeout = 10_000;
  server.requestTimeout = 60_000;
  server.keepAliveTimeout = 65_000;
  server.timeout = 120_000 + options.statementTimeoutMs;
  if (options.maxConnections !== null) server.maxConnections = options.maxConnections;
  let listener = first;
  const turns = new ConnectionTurns((request, response) => listener(request, response));
  server.on('connection', (socket) => turns.open(socket));
  server.on('request', (request, response) => turns.add({ request, response }));
  return {
    server,
    respondBy: (next) => {
      listener = next;
    },
    drain: () => drain(server, turns),
  };
}

async function drain(server: http.Server, turns: ConnectionTurns): Promise<void> {
  turns.startDraining();
  const closed = new Promise<void>((resolve) => {
    setTimeout(() => server.close(() => resolve()), turns.connections === 0 ? 0 : graceMs);
  });
  const closeIdle = (): void => {
    if (server.listening) return;
    server.closeIdleConnections();
    turns.closeUnused();
  };
  const idleCheck = setInterval(closeIdle, idleCheckMs);
  const cut = setTimeout(() => server.closeAllConnections(), maxMs);
  await closed;
  clearInterval(idleCheck);
  clearTimeout(cut);
}

/**
 * Runs the requests of each connection one after another. While one waits, no more is read of its connection, and
 * every request after the first runs in a later turn of the event loop: a client that sends many without waiting for
 * responses takes the share of one client. A connection with more than `maxUnanswered` requests is closed.
 */
class ConnectionTurns {
  readonly #listener: http.RequestListener;
  /** The first of each list runs, the others wait. */
  readonly #turns = new Map<net.Socket, Turn[]>();
  #draining = false;

  constructor(listener: http.RequestListener) {
    this.#listener = listener;
  }

  get connections(): number {
    return this.#turns.size;
  }

  open(socket: net.Socket): void {
    const turns: Turn[] = [];
    this.#turns.set(socket, turns);
    socket.once('close', () => {
      this.#turns.delete(socket);
      // Node emits this for the running one alone, and the metrics count requests until then.
      for (const { response } of turns.splice(1)) response.emit('close');
    });
    // Node resumes a connection whenever the body of a request was read.
    socket.on('resume', () => {
      if (turns.length > 1) socket.pause();
    });
  }

  add(turn: Turn): void {
    const { socket } = turn.request;
    const turns = this.#turns.get(socket);
    if (!turns) return;
    turns.push(turn);
    if (turns.length === 1) this.#run(socket, turns);
    else if (turns.length > maxUnanswered) socket.destroy();
    else socket.pause();
  }

  #run(socket: net.Socket, turns: Turn[]): void {
    const [turn] = turns;
    if (!turn || socket.destroyed) return;
    if (this.#draining) endWith(turns);
    turn.response.once('close', () => {
      turns.shift();
      if (socket.destroyed) return;
      if (turns.length < 2) socket.resume();
      if (turns.length > 0) setImmediate(() => this.#run(socket, turns));
    });
    this.#listener(turn.request, turn.response);
  }

  startDraining(): void {
    this.#draining = true;
    for (const turns of this.#turns.values()) endWith(turns);
  }

  /** Closes connections that never brought a byte: Node counts them as busy. */
  closeUnused(): void {
    for (const socket of this.#turns.keys()) if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Lets a connection end with the response to the last request that it brought. */
function endWith([turn, ...waiting]: readonly Turn[]): void {
  if (turn && waiting.length === 0 && !turn.response.headersSent) turn.response.shouldKeepAlive = false;
}
