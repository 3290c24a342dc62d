/** The open connections of an HTTP server: the order of their requests, and when one can be closed. */
import type http from 'node:http';
import type net from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Maximum number of pending requests of one connection. Browsers and proxies send one at a time. Node reads up to 64 kB
 * before a pause takes effect, which can contain more than 2000 requests with several megabytes of objects.
 */
const maxPending = 64;
/** Time for which the shutdown keeps a connection for its next request, after the last response or the start. */
const minKeepMs = 1000;
const maxKeepMs = 5000;

interface Exchange {
  readonly request: http.IncomingMessage;
  readonly response: http.ServerResponse;
}

interface Connection {
  /** The first exchange runs, unless requests are held; the others wait. */
  readonly queue: Exchange[];
  isRunning: boolean;
  /** When the connection was accepted or its last response ended. */
  idleSince: number;
  /** Bytes that had been received then. More bytes mean that a request is arriving. */
  idleBytes: number;
  hasResponded: boolean;
  /** Longest time between a response and the next request. */
  longestPauseMs: number;
}

/**
 * Runs the pipelined requests of each connection sequentially. While requests are queued, the socket is paused, and
 * each queued request runs in a later turn of the event loop, so that a client with many pipelined requests does not
 * delay other clients. A connection with more than `maxPending` requests is closed.
 */
export class Connections {
  readonly #listener: http.RequestListener;
  readonly #connections = new Map<net.Socket, Connection>();
  #draining = false;
  #holding = true;
  #lastActivity = performance.now();

  /** Requests wait until `release`. */
  constructor(listener: http.RequestListener) {
    this.#listener = listener;
  }

  get count(): number {
    return this.#connections.size;
  }

  /** When a connection was accepted, a request arrived or a response ended. */
  get lastActivity(): number {
    return this.#lastActivity;
  }

  /**
   * Returns true if an error of the connection is that of the only request whose response is due and not begun: the client
   * takes the next bytes for the response to its first request.
   */
  isAnswerable(socket: Duplex): boolean {
    const [first, second] = this.#connections.get(socket as net.Socket)?.queue ?? [];
    if (first === undefined) return true;
    return second === undefined && !first.request.complete && !first.response.headersSent;
  }

  open(socket: net.Socket): void {
    const queue: Exchange[] = [];
    this.#lastActivity = performance.now();
    this.#connections.set(socket, {
      queue,
      isRunning: false,
      idleSince: this.#lastActivity,
      idleBytes: 0,
      hasResponded: false,
      longestPauseMs: 0,
    });
    socket.once('close', () => {
      this.#connections.delete(socket);
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
    const connection = this.#connections.get(socket);
    if (!connection) return;
    const { queue } = connection;
    this.#lastActivity = performance.now();
    if (queue.length === 0 && connection.hasResponded)
      connection.longestPauseMs = Math.max(
        connection.longestPauseMs,
        this.#lastActivity - connection.idleSince,
      );
    queue.push(exchange);
    if (queue.length === 1) this.#run(socket, connection);
    else if (queue.length > maxPending) socket.destroy();
    else socket.pause();
  }

  #run(socket: net.Socket, connection: Connection): void {
    const { queue } = connection;
    const [exchange] = queue;
    if (this.#holding || connection.isRunning || !exchange || socket.destroyed) return;
    connection.isRunning = true;
    if (this.#draining) closeAfterLast(queue);
    exchange.response.once('close', () => {
      connection.isRunning = false;
      queue.shift();
      this.#lastActivity = performance.now();
      connection.idleSince = this.#lastActivity;
      connection.idleBytes = socket.bytesRead;
      connection.hasResponded = true;
      if (socket.destroyed) return;
      if (queue.length < 2) socket.resume();
      if (queue.length > 0) setImmediate(() => this.#run(socket, connection));
    });
    this.#listener(exchange.request, exchange.response);
  }

  /** Lets the running requests finish, but runs no other. */
  hold(): void {
    this.#holding = true;
  }

  /** Runs the requests that were held. */
  release(): void {
    this.#holding = false;
    for (const [socket, connection] of this.#connections) this.#run(socket, connection);
  }

  startDraining(): void {
    this.#draining = true;
    for (const { queue } of this.#connections.values()) closeAfterLast(queue);
  }

  /** Returns true if a client that has sent several requests is likely to send the next one soon. */
  expectsRequests(): boolean {
    const now = performance.now();
    return [...this.#connections.values()].some(
      (connection) => connection.hasResponded && isKept(connection, now),
    );
  }

  /**
   * Closes the connections that are not likely to carry another request: a request that was sent at this moment would be
   * lost. To be called in the check phase of the event loop, when the received bytes have been read.
   */
  closeIdle(): void {
    const now = performance.now();
    for (const [socket, connection] of this.#connections)
      if (
        connection.queue.length === 0 &&
        socket.bytesRead === connection.idleBytes &&
        !isKept(connection, now)
      )
        socket.destroy();
  }
}

function isKept({ queue, longestPauseMs, idleSince }: Connection, now: number): boolean {
  // The next pause of a program can be twice as long as its longest one. A person pauses for any time.
  const pauseMs = longestPauseMs > maxKeepMs ? 0 : 2 * longestPauseMs;
  return queue.length === 0 && now - idleSince < Math.min(Math.max(pauseMs, minKeepMs), maxKeepMs);
}

/** Closes the connection after the response to its last request. */
function closeAfterLast([running, ...queued]: readonly Exchange[]): void {
  if (running && queued.length === 0 && !running.response.headersSent)
    running.response.shouldKeepAlive = false;
}
