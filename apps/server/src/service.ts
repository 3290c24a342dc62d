/** Opens everything that one instance is made of, in order, and closes it in the opposite order. */
import { features } from '@lanternrock/contract/runtime';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { DirectoryLock } from '@lanternrock/postgres/lock';
import type { AppEnv } from './http/context.ts';
import { createApp } from './http/app.ts';
import { createAuthService, type AuthService } from './auth/auth-service.ts';
import type { Config } from './config/settings.ts';
import { readProviders } from './auth/oauth/providers.ts';
import { createSessionWatch } from './functions/session-watch.ts';
import { createFunctions } from './functions/functions-service.ts';
import { createInvitations, type Invitations } from './invitations/invitations.ts';
import { loadKeys, readConfiguredKeys, type Keys } from './keys/keys.ts';
import { createEmailTransport } from './mail/create-transport.ts';
import { countQueuedDeliveries } from './mail/deliveries.ts';
import { createMailboxAccess, type MailboxAccess } from './mail/mailbox-access.ts';
import { mailboxRoutes } from './mail/mailbox-routes.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { openDatabase, type OpenDatabaseOptions } from './database/open-database.ts';
import { createHasher, type PasswordHasher } from './passwords/hasher.ts';
import { consoleDistDir } from './paths.ts';
import { createRestService, type RestService } from './rest/rest-service.ts';
import { migrateDatabase, requireCurrentSchema } from './database/schema-version.ts';
import { loadConsoleFiles, type ConsoleOptions } from './http/console-files.ts';
import { isMailboxEnabled } from './http/local-access.ts';
import { createHealth } from './http/health.ts';
import { createMetrics, registerGauges, metricsRoutes, type Metrics } from './metrics/metrics.ts';

export interface Service {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly outbox: Outbox;
  readonly invitations: Invitations;
  readonly auth: AuthService;
  readonly metrics: Metrics;
  /** The URL that opens `/mailbox`, with the secret of this start; null without a mailbox. */
  readonly mailboxLink: string | null;
  readonly app: Hono<AppEnv>;
  /** The lock on the embedded database's directory; null with DATABASE_URL. */
  readonly lock: DirectoryLock | null;
  /** Makes `/ready` respond 503, and responds to requests that only wait for an event. */
  startDraining(): void;
  /** Finishes what runs, then closes the database. */
  close(): Promise<void>;
}

/** With `existing`, a database of another version is refused, and not migrated. */
export interface ServiceOptions extends OpenDatabaseOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The clock; tests bring their own. */
  readonly now?: () => Date;
  /** An open database, instead of the one that the configuration names. */
  readonly database?: Database;
}

/**
 * @throws OperationalError with one clear line for what an operator can mend.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, log, now = () => new Date() } = options;
  const { configured, providers, transport } = await readSettings(config);
  const { database, lock, close } = options.database
    ? { database: options.database, lock: null, close: leaveOpen }
    : await openDatabase(config, log, options);
  try {
    if (config.MIGRATE && !options.database)
      await (options.mustExist ? requireCurrentSchema(database) : migrateDatabase({ config, database, log }));
    const keys = await loadKeys({ config, configured, database, log });
    const metrics = createMetrics();
    const hasher = createHasher({ log, onResult: metrics.hashed, timeoutMs: config.AUTH_TIMEOUT / 2 });
    const onAttempt = metrics.mailTried;
    const outbox = createOutbox({ config, database, keys, log, now, transport, onAttempt });
    // The lock says that nobody else is sending; copies on one Postgres wait for the leases instead.
    if (lock && config.MIGRATE) await outbox.failAbandoned();
    const invitations = createInvitations({ config, database, outbox, log, now });
    const auth = createAuthService({ config, database, keys, hasher, outbox, providers, log, now });
    const rest = await createRestService({ config, database, authenticate: auth.authenticate, log, now });
    const watch = createSessionWatch(database);
    const health = createHealth(database);
    const functions = createFunctions({ config, database, auth, invitations, outbox, watch, log, now });
    registerGauges(metrics, {
      database,
      hashesWaiting: () => hasher.waiting(),
      waitingMails: async () =>
        config.MIGRATE ? countQueuedDeliveries(database) : { waiting: 0, overdue: 0 },
    });
    const mailbox = config.MIGRATE && isMailboxEnabled(config) ? createMailboxAccess(config) : null;
    const app = appOf({ config, log, health: health.routes, keys, metrics, rest, auth, functions, mailbox });
    return {
      config,
      log,
      database,
      keys,
      hasher,
      outbox,
      invitations,
      auth,
      metrics,
      mailboxLink: mailbox?.link ?? null,
      app,
      lock,
      startDraining: () => {
        health.startDraining();
        watch.close();
      },
      close: async () => {
        watch.close();
        await outbox.close();
        hasher.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * What the settings say that is more than a value: keys, and files that they name. Read before a database is opened,
 * so that whoever mistyped one finds nothing made or migrated.
 * @throws OperationalError
 */
async function readSettings(config: Config) {
  return {
    configured: await readConfiguredKeys(config),
    providers: readProviders(config),
    transport: createEmailTransport(config),
  };
}

/** A database that was handed in belongs to its opener. */
const leaveOpen = async (): Promise<void> => {};

interface MountedParts {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Hono<AppEnv>;
  readonly keys: Keys;
  readonly metrics: Metrics;
  readonly rest: RestService;
  readonly auth: AuthService;
  readonly functions: Hono<AppEnv>;
  readonly mailbox: MailboxAccess | null;
}

/** Somebody else's database has no place for users, invitations and mail. */
function appOf(parts: MountedParts): Hono<AppEnv> {
  const { config, log, health, keys, metrics, rest, auth, functions, mailbox } = parts;
  const own = config.MIGRATE;
  return createApp({
    config,
    log,
    health,
    metrics: metricsRoutes(config, metrics),
    rest: rest.routes,
    auth: own ? auth.routes : null,
    functions: own ? functions : null,
    mailbox: mailbox ? mailboxRoutes({ config, access: mailbox }) : null,
    console: own ? loadConsoleFiles({ folder: consoleDistDir, runtime: runtimeOf(config, keys) }) : null,
  });
}

const runtimeOf = (config: Config, keys: Keys): ConsoleOptions['runtime'] => ({
  productName: config.PRODUCT_NAME,
  backendUrl: '',
  anonKey: keys.anonKey,
  features: features.filter((feature) => feature !== 'passkeys' || config.PASSKEYS),
});
