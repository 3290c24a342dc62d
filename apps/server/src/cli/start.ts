/** `lanternrock start`: takes the port, opens the service, says where it is, and ends in order on a signal. */
import type http from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Logger } from 'pino';
import { OperationalError } from '@lanternrock/postgres/errors';
import type { Config } from '../config/settings.ts';
import { requireManagedDatabase } from '../database/schema-version.ts';
import { openService, type Service } from '../service.ts';
import { nodeSupportWarning } from '../config/end-of-life.ts';
import { apiHeaders } from '../http/response-headers.ts';
import { createHttpServer, type HttpServer } from '../http/http-server.ts';
import { parseArguments } from './parse-arguments.ts';
import type { Output } from './command.ts';
import { commands } from './commands.ts';
import { demoCommand } from './commands/demo.ts';
import { maxConnections, openFileLimit } from '../http/max-connections.ts';
import { createControlServer } from './control-socket.ts';
import { linkFile, writeLinkFile } from './link-file.ts';
import { osUsername } from './audit-origin.ts';

/** @param args `--demo` fills an empty instance with sample data. */
export async function start(config: Config, log: Logger, args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { demo: { type: 'boolean' } }, 0);
  if (values.demo) requireManagedDatabase(config);
  const main = openServer(config);
  const second = config.AUTH_PORT === 0 ? null : openServer(config);
  // Taken before the database opens, so that a taken port is told at once and answers come early.
  const port = await listen(main.server, config, 'PORT');
  if (second) await listen(second.server, config, 'AUTH_PORT');
  const settled = config.PORT === 0 ? withPort(config, port) : config;
  const service = await openService({ config: settled, log });
  const old = nodeSupportWarning(process.versions.node, new Date());
  if (old) log.warn(old);
  answerBy(main, service.app.fetch);
  service.metrics.measure(main.server);
  if (second) {
    answerBy(second, atAuthRoot(service));
    service.metrics.measure(second.server, 'auth');
  }
  if (config.MIGRATE) service.hasher.prepare();
  service.lock?.serve(createControlServer(service, commands));
  sweepHourly(service);
  // Mails that waited while no service ran.
  if (config.MIGRATE) service.outbox.wake();
  endOnSignals([main, ...(second ? [second] : [])], service);
  if (values.demo) await demoCommand.run(service, [], unheard);
  await announce(service);
}

const unheard: Output = {
  cwd: '',
  osUser: osUsername(),
  inService: true,
  print: () => {},
  printError: () => {},
  isClosed: () => false,
};

/** Connections leave the service file descriptors of its own. */
function openServer(config: Config): HttpServer {
  const max = maxConnections(openFileLimit());
  const perServer = max === null || config.AUTH_PORT === 0 ? max : Math.floor(max / 2);
  return createHttpServer(
    { statementTimeoutMs: config.STATEMENT_TIMEOUT, maxConnections: perServer },
    startingAnswer(config),
  );
}

/** Answers until the service is open. */
function startingAnswer(config: Config): http.RequestListener {
  const headers = { ...apiHeaders(config), 'Content-Type': 'application/json', 'Retry-After': '1' };
  const body = JSON.stringify({ code: 'starting', message: 'The service is starting' });
  return (_request, response) => {
    response.writeHead(503, headers);
    response.end(body);
  };
}

function answerBy(server: HttpServer, fetch: Fetch): void {
  const answer = getRequestListener(fetch);
  server.respondBy((request, response) => void answer(request, response));
}

type Fetch = Parameters<typeof getRequestListener>[0];

/** The auth service at the root of a port of its own, for clients that know no gateway. */
const atAuthRoot =
  ({ app }: Service): Fetch =>
  (request, ...more) => {
    const url = new URL(request.url);
    url.pathname = `/auth/v1${url.pathname}`;
    return app.fetch(new Request(url, request), ...more);
  };

/** With PORT=0 the address is known only now. */
const withPort = (config: Config, port: number): Config => {
  const site = config.SITE_URL.replace(/:0$/, `:${port}`);
  return {
    ...config,
    PORT: port,
    SITE_URL: site,
    JWT_ISSUER: config.JWT_ISSUER.replace(config.SITE_URL, site),
  };
};

/** @returns the port, which is the system's choice for 0. @throws OperationalError */
async function listen(server: http.Server, config: Config, setting: 'PORT' | 'AUTH_PORT'): Promise<number> {
  const { HOST, [setting]: port } = config;
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken, perhaps by a service that runs already: "lanternrock status" tells. Set ${setting} to another one.`
          : `Cannot listen on ${HOST}:${port} (${error.code ?? error.message}).`;
      reject(new OperationalError(why, { cause: error }));
    });
    server.listen(port, HOST, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Prints the URL, the mailbox link, and the first administrator's link until there is an administrator. */
async function announce({ config, invitations, mailboxLink }: Service): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  const listening = `\n  ${config.PRODUCT_NAME} is listening on http://${host}:${config.PORT}`;
  if (!config.MIGRATE) {
    say(`${listening}\n  Data API  ${config.SITE_URL}/rest/v1  (MIGRATE=off: nothing else is served)\n`);
    return;
  }
  const link = (await invitations.firstAdministratorLink())?.link;
  const onTerminal = process.stdout.isTTY;
  if (!link || !onTerminal) writeLinkFile(config.DATA_DIR, 'first-link', link ?? null);
  // Output without a terminal is a log, which other people read.
  writeLinkFile(config.DATA_DIR, 'mailbox-link', onTerminal ? null : mailboxLink);
  say(listening);
  say(`  Console   ${config.SITE_URL}`);
  if (mailboxLink) {
    const where = onTerminal ? mailboxLink : `link in ${linkFile(config.DATA_DIR, 'mailbox-link')}`;
    say(`  Mailbox   ${where}  (no SMTP_URL: emails stay there)`);
  }
  if (link) {
    say('');
    say(`  No administrator yet. ${config.ADMIN_EMAIL} sets a password with this link:`);
    say(`  ${link}`);
  }
  say('');
}

/** Ended codes, sessions and counters go; a failure waits for the next hour. */
function sweepHourly({ auth, config, log }: Service): void {
  if (!config.MIGRATE) return;
  const sweep = (): void =>
    void auth.purge().catch((error: unknown) => log.warn({ err: error }, 'sweep failed'));
  setInterval(sweep, 3_600_000).unref();
}

function endOnSignals(servers: readonly HttpServer[], service: Service): void {
  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    service.log.info({ signal }, 'stopping');
    service.startDraining();
    await Promise.all(servers.map((server) => server.drain()));
    await service.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(signal));
}
