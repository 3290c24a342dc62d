/** Listens on PORT and AUTH_PORT when the service is ready, so that a proxy sends requests to another replica until then. */
import type http from 'node:http';
import net from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { createHttpServer, type HttpServer } from './http-server.ts';
import { maxConnections, readOpenFileLimit } from './max-connections.ts';
import { rejection } from './reject-head.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Server {
  /** The port that the system selected if PORT is 0, otherwise PORT. */
  readonly port: number;
  /**
   * Listens, and passes requests to `fetch`. `instrument` measures the servers of both ports.
   *
   * @throws OperationalError if a port is in use or not allowed
   */
  serve(fetch: Fetch, instrument: (server: http.Server, name?: 'auth') => void): Promise<void>;
  /** Completes the running requests, then closes the connections. */
  drain(): Promise<void>;
}

type PortSetting = 'PORT' | 'AUTH_PORT';

/**
 * Creates the servers. If PORT is 0, it listens immediately to learn the port, and requests wait.
 *
 * @throws OperationalError if a port is in use
 */
export async function createServer(config: Config): Promise<Server> {
  const main = createLimitedServer(config);
  const auth = config.AUTH_PORT === 0 ? null : createLimitedServer(config);
  if (config.PORT !== 0) await requireFreePort(config, 'PORT');
  if (auth) await requireFreePort(config, 'AUTH_PORT');
  const port = config.PORT === 0 ? await listen(main.server, config, 'PORT') : config.PORT;
  return {
    port,
    serve: async (fetch, instrument) => {
      instrument(main.server);
      main.serve(requestListener(fetch));
      if (auth) {
        auth.serve(requestListener(atAuthRoot(fetch)));
        instrument(auth.server, 'auth');
        await listen(auth.server, config, 'AUTH_PORT');
      }
      if (config.PORT !== 0) await listen(main.server, config, 'PORT');
    },
    drain: async () => {
      await Promise.all([main.drain(), auth?.drain()]);
    },
  };
}

/** Creates a server with a connection limit that leaves file descriptors for the service itself. */
function createLimitedServer(config: Config): HttpServer {
  const max = maxConnections(readOpenFileLimit());
  const perServer = max === null || config.AUTH_PORT === 0 ? max : Math.floor(max / 2);
  return createHttpServer({ statementTimeoutMs: config.STATEMENT_TIMEOUT, maxConnections: perServer });
}

/**
 * Host of requests without a Host header, which HTTP/1.0 permits: health checks of proxies. The name is not a local one, so
 * such a request gets no page for the local machine.
 */
const unknownHost = 'unknown.invalid';

function requestListener(fetch: Fetch): http.RequestListener {
  const listener = getRequestListener(fetch, {
    hostname: unknownHost,
    errorHandler: (error) => {
      const { status, headers, body } = rejection(error instanceof RequestError ? 400 : 500);
      return new Response(body, { status, headers });
    },
  });
  return (request, response) => void listener(request, response);
}

/** Serves the Auth API at the root of AUTH_PORT, for clients that expect Supabase Auth without a gateway. */
const atAuthRoot =
  (fetch: Fetch): Fetch =>
  (request, ...more) => {
    const url = new URL(request.url);
    url.pathname = `/auth/v1${url.pathname}`;
    return fetch(new Request(url, request), ...more);
  };

const portInUse = (port: number, setting: PortSetting, cause?: Error): OperationalError =>
  new OperationalError(
    `Port ${port} is already in use. Run "lanternrock status" to see if the service is running, or set ${setting} to another port.`,
    { cause },
  );

/** Time after which a port that does not respond counts as free, in milliseconds. */
const connectTimeoutMs = 1000;

/**
 * Reports a port in use before the database is opened and migrated. It connects, because a proxy would send requests to a
 * socket that listens to find out.
 *
 * @throws OperationalError
 */
async function requireFreePort(config: Config, setting: PortSetting): Promise<void> {
  const { HOST, [setting]: port } = config;
  const isUsed = await new Promise<boolean>((resolve) => {
    const socket = net.connect({ host: HOST, port, timeout: connectTimeoutMs });
    const finish = (used: boolean) => (): void => {
      socket.destroy();
      resolve(used);
    };
    socket.once('connect', finish(true)).once('timeout', finish(false)).once('error', finish(false));
  });
  if (isUsed) throw portInUse(port, setting);
}

/** @returns the port; the one that the system selected if the setting is 0 */
async function listen(server: http.Server, config: Config, setting: PortSetting): Promise<number> {
  const { HOST, [setting]: port } = config;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const cannotListen = `Cannot listen on ${HOST}:${port} (${error.code ?? error.message}).`;
      reject(
        error.code === 'EADDRINUSE'
          ? portInUse(port, setting, error)
          : new OperationalError(cannotListen, { cause: error }),
      );
    });
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
