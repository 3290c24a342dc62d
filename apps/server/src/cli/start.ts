/** `lanternrock start`: opens the service, listens, prints its URL, and shuts down gracefully on a signal. */
import type { Logger } from 'pino';
import { describeUnknownSettings, type Config } from '../config/settings.ts';
import { recordServiceSettings } from '../database/service-settings.ts';
import { requireManagedDatabase } from '../database/schema-version.ts';
import { openService, type Service } from '../service.ts';
import { findNodeSupportWarning } from '../config/end-of-life.ts';
import { createServer } from '../http/server.ts';
import { version } from '../version.ts';
import { parseArguments } from './parse-arguments.ts';
import type { CommandIO } from './command.ts';
import { commands } from './commands.ts';
import { addSampleData } from './commands/demo.ts';
import { createCommandServer } from './command-server.ts';
import { linkFile, writeLinkFile, type LinkName } from './link-file.ts';
import { createLocalFiles } from './local-files.ts';
import { readOsUsername } from './os-username.ts';
import { handleSignals } from './shut-down.ts';

/** @param args `--demo` adds sample data to an empty instance */
export async function start(config: Config, log: Logger, args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { demo: { type: 'boolean' } }, 0);
  if (values.demo) requireManagedDatabase(config);
  const started = handleSignals(log);
  const server = await createServer(config);
  const service = await openService({
    config: config.PORT === 0 ? withPort(config, server.port) : config,
    log,
    // The console files of the service contain the mark of a demonstration.
    ...(values.demo && { onOpened: async (database) => void (await addSampleData(database, silentIO)) }),
  });
  for (const warning of describeUnknownSettings()) log.warn(warning);
  const nodeWarning = findNodeSupportWarning(process.versions.node, new Date());
  if (nodeWarning) log.warn(nodeWarning);
  service.control?.serve(createCommandServer(service, commands));
  if (config.MIGRATE) {
    await recordSettings(service);
    service.hasher.prepare();
  }
  try {
    await server.serve(service.app.fetch, service.metrics.instrument);
  } catch (error) {
    await service.close();
    throw error;
  }
  // After the signals of the start, which would cut an email that is being sent.
  service.background.start();
  started(server, service);
  log.info({ version, node: process.versions.node }, 'started');
  await announce(service);
}

/** Stores the settings for commands, and reports a difference from the previous start, as of another replica. */
async function recordSettings(service: Service): Promise<void> {
  const different = await recordServiceSettings(service);
  if (different.length > 0)
    service.log.warn(
      { settings: different },
      'settings differ from those of the previous start; restart replicas that still run with the earlier ones',
    );
}

const silentIO: CommandIO = {
  files: createLocalFiles('/'),
  osUser: readOsUsername(),
  inService: true,
  print: () => {},
  printError: () => {},
  drained: async () => {},
  isClosed: () => false,
};

/** Sets the port that the system selected for PORT=0. */
const withPort = (config: Config, port: number): Config => {
  const siteUrl = config.SITE_URL.replace(/:0$/, `:${port}`);
  return {
    ...config,
    PORT: port,
    SITE_URL: siteUrl,
    JWT_ISSUER: config.JWT_ISSUER.replace(config.SITE_URL, siteUrl),
  };
};

/** Prints the URL, the mailbox link and, if there is no administrator, the link of the first administrator. */
async function announce({ config, invitations, log, mailboxLink }: Service): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  const listening = `\n  ${config.PRODUCT_NAME} is listening on http://${host}:${config.PORT}`;
  if (!config.MIGRATE) {
    print(`${listening}\n  Data API  ${config.SITE_URL}/rest/v1  (MIGRATE=off: nothing else is served)\n`);
    return;
  }
  const link = (await invitations.firstAdministratorLink())?.link;
  const onTerminal = process.stdout.isTTY;
  const write = (name: LinkName, text: string | null): void => {
    try {
      writeLinkFile(config.DATA_DIR, name, text);
    } catch (error) {
      // A full disk must not keep the service from starting.
      log.warn({ err: error, file: linkFile(config.DATA_DIR, name) }, 'link file cannot be written');
    }
  };
  if (!link || !onTerminal) write('first-link', link ?? null);
  // Without a terminal, the output is a log that other users may read.
  write('mailbox-link', onTerminal ? null : mailboxLink);
  print(listening);
  print(`  Console   ${config.SITE_URL}`);
  if (mailboxLink) {
    const location = onTerminal ? mailboxLink : `link in ${linkFile(config.DATA_DIR, 'mailbox-link')}`;
    print(`  Mailbox   ${location}  (SMTP_URL is not set: emails are saved there)`);
  }
  if (link) {
    print('');
    print(`  No administrator yet. Open this link to set a password for ${config.ADMIN_EMAIL}:`);
    print(`  ${link}`);
  }
  print('');
}
