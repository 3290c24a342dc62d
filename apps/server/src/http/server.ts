/** Listens on PORT and AUTH_PORT. Clients get a 503 response until the service is open. */
import type http from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import { maxConnections, openFileLimit } from './max-connections.ts';
import { apiHeaders } from './response-headers.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Server {
  /** The port that the system selected if PORT is 0, otherwise PORT. */
  readonly port: number;
  /** Passes requests to `fetch`. `instrument` measures the servers of both ports. */
  serve(fetch: Fetch, instrument: (server: http.Server, name?: 'auth') => void): void;
  /** Completes the running requests, then closes the connections. */
  drain(): Promise<void>;
}

/** @throws OperationalError if a port is in use or not allowed */
export async function listen(config: Config): Promise<Server> {
  const main = createServer(config);
  const auth = config.AUTH_PORT === 0 ? null : createServer(config);
  const port = await listenOn(main.server, config, 'PORT');
  if (auth) await listenOn(auth.server, config, 'AUTH_PORT');
  return {
    port,
    serve: (fetch, instrument) => {
      setFetch(main, fetch);
      instrument(main.server);
      if (!auth) return;
      setFetch(auth, atAuthRoot(fetch));
      instrument(auth.server, 'auth');
    },
    drain: async () => {
      await Promise.all([main.drain(), auth?.drain()]);
    },
  };
}

/** Creates a server with a connection limit that leaves file descriptors for the service itself. */
function createServer(config: Config): HttpServer {
  const max = maxConnections(openFileLimit());
  const perServer = max === null || config.AUTH_PORT === 0 ? max : Math.floor(max / 2);
  return createHttpServer(
    { statementTimeoutMs: config.STATEMENT_TIMEOUT, maxConnections: perServer },
    respondStarting(config),
  );
}

function respondStarting(config: Config): http.RequestListener {
  const headers = { ...apiHeaders(config), 'Content-Type': 'application/json', 'Retry-After': '1' };
  const body = JSON.stringify({ code: 'starting', message: 'The service is starting' });
  return (_request, response) => {
    response.writeHead(503, headers);
    response.end(body);
  };
}

function setFetch(server: HttpServer, fetch: Fetch): void {
  const listener = getRequestListener(fetch);
  server.setListener((request, response) => void listener(request, response));
}

/** Serves the Auth API at the root of AUTH_PORT, for clients that expect Supabase Auth without a gateway. */
const atAuthRoot =
  (fetch: Fetch): Fetch =>
  (request, ...more) => {
    const url = new URL(request.url);
    url.pathname = `/auth/v1${url.pathname}`;
    return fetch(new Request(url, request), ...more);
  };

/** @returns the port; the one that the system selected if the setting is 0 */
async function listenOn(server: http.Server, config: Config, setting: 'PORT' | 'AUTH_PORT'): Promise<number> {
  const { HOST, [setting]: port } = config;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is already in use. Run "lanternrock status" to see if the service is running, or set ${setting} to another port.`
          : `Cannot listen on ${HOST}:${port} (${error.code ?? error.message}).`;
      reject(new OperationalError(message, { cause: error }));
    });
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
