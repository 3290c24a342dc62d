/** Creates the components of the service in order, and closes them in reverse order. */
import { setTimeout as pause } from 'node:timers/promises';
import { features } from '@lanternrock/contract/runtime';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import { createBackgroundWork, managedJobs, type BackgroundWork } from './background-work.ts';
import type { Database } from '@lanternrock/postgres';
import { createDatabaseClock, type DatabaseClock } from '@lanternrock/postgres/clock';
import { createAuditChain, type AuditChain } from './audit/audit-chain.ts';
import { openAuditKey } from './audit/audit-key.ts';
import type { AppEnv } from './http/context.ts';
import { createApp } from './http/app.ts';
import {
  createAuthService,
  createHasher,
  readProviders,
  type AuthService,
  type PasswordHasher,
} from '@lanternrock/auth';
import type { Config } from './config/settings.ts';
import { createSessionWatch } from './functions/session-watch.ts';
import { createFunctions } from './functions/functions-service.ts';
import { createAuthHooks } from './invitations/auth-hooks.ts';
import { createInvitations, type Invitations } from './invitations/invitations.ts';
import { loadKeys, readConfiguredKeys, type Keys } from '@lanternrock/auth/keys';
import { createAuthMailer } from './mail/auth-mailer.ts';
import { countQueuedDeliveries } from './mail/deliveries.ts';
import { sendTimeoutMs } from './mail/email-job.ts';
import { createMailboxAccess, type MailboxAccess } from './mail/mailbox-access.ts';
import { mailboxRoutes } from './mail/mailbox-routes.ts';
import { createEmailTransport } from './mail/email-transport.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import type { ControlSocket } from './database/control-socket.ts';
import { restSessionErrors, sessionFunctions } from './database/session-check.ts';
import { openDatabase, type OpenDatabaseOptions } from './database/open-database.ts';
import { bundlePath, consoleDistDir } from './paths.ts';
import { createRestService, type RestOptions, type RestService } from '@lanternrock/rest';
import { isDemonstration } from './database/demonstration.ts';
import { migrateDatabase, requireCurrentSchema } from './database/schema-version.ts';
import { loadConsoleFiles, type ConsoleOptions } from './http/console-files.ts';
import { isMailboxEnabled } from './http/local-access.ts';
import { createScheduledBackups } from './backup/scheduled-backups.ts';
import { noBackupMetrics, readBackupMetrics } from './backup/last-backup.ts';
import { createHealth } from './http/health.ts';
import { restRoutes } from './http/rest-routes.ts';
import { createMetrics, registerGauges, metricsRoutes, type Metrics } from './metrics/metrics.ts';

export interface Service {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly clock: DatabaseClock;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly outbox: Outbox;
  readonly invitations: Invitations;
  readonly auth: AuthService;
  readonly auditChain: AuditChain;
  /** Runs nothing until it is started. */
  readonly background: BackgroundWork;
  readonly metrics: Metrics;
  /** URL of `/mailbox` with the secret of this start; null without a mailbox. */
  readonly mailboxLink: string | null;
  readonly app: Hono<AppEnv>;
  /** Receives commands for the owner of the embedded database; null with DATABASE_URL. */
  readonly control: ControlSocket | null;
  /** Makes `/ready` respond with 503, and ends long polls. */
  startDraining(): void;
  /** Waits a limited time for running work, then closes the database. */
  close(): Promise<void>;
}

/** With `mustExist`, a database with pending migrations is rejected instead of migrated. */
interface ServiceOptions extends OpenDatabaseOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Default: the clock of the database. Tests move it. */
  readonly clock?: DatabaseClock;
  /** An open database to use instead of the configured one. The caller closes it. */
  readonly database?: Database;
  /** Runs on the migrated database before missing keys are created: checks it, or adds data. */
  readonly onOpened?: (database: Database) => Promise<void>;
}

/** @throws OperationalError if the configuration, the keys or the database prevent the start */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, log, clock = createDatabaseClock() } = options;
  const { configured, providers, transport } = await readSettings(config);
  const { database, control, close } = options.database
    ? { database: options.database, control: null, close: leaveOpen }
    : await openCurrentDatabase(options);
  try {
    await options.onOpened?.(database);
    const shared = { config, database, log, now: clock.read };
    const keys = await loadKeys({ config, configured, database, log });
    const metrics = createMetrics();
    const hasher = openHasher(config, log, metrics);
    const onAttempt = metrics.recordDeliveryAttempt;
    const outbox = createOutbox({ ...shared, keys, transport, onAttempt });
    // The owner of an embedded database is the only process that sends emails. Replicas wait for the leases instead.
    if (control && config.MIGRATE) await outbox.releaseAbandoned();
    const invitations = createInvitations({ ...shared, outbox });
    const auditChain = await openAuditChain({ ...shared, keys, outbox });
    const ports = createAuthPorts(config, outbox);
    const auth = createAuthService({ ...ports, database, keys, hasher, providers, log, clock });
    const rest = await createDataApi({ ...shared, auth, now: clock.estimate });
    const watch = createSessionWatch(database);
    const health = createHealth(config, database);
    const services = { auth, auditChain, invitations, outbox };
    const functions = createFunctions({ config, database, log, clock, ...services, watch });
    const background = openBackgroundWork({ ...shared, ...services });
    registerServiceGauges(metrics, { config, database, clock, hasher, auditChain });
    const mailbox = config.MIGRATE && isMailboxEnabled(config) ? createMailboxAccess(config) : null;
    const apis = { health: health.routes, rest, auth, functions, mailbox };
    const isDemo = config.MIGRATE && (await isDemonstration(database));
    return {
      config,
      log,
      database,
      clock,
      keys,
      hasher,
      ...services,
      background,
      metrics,
      mailboxLink: mailbox?.link ?? null,
      app: buildApp({ config, log, keys, metrics, isDemonstration: isDemo, ...apis }),
      control,
      startDraining: () => {
        health.startDraining();
        watch.close();
      },
      close: async () => {
        watch.close();
        auditChain.stop();
        await closeWork({ background, outbox, log });
        hasher.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Maximum wait of a shutdown for running work, in milliseconds: enough for an email that is being sent. */
const closeTimeoutMs = sendTimeoutMs + 2000;

/** Closes both together: a background job waits for the queue of emails, which ends when the outbox is closed. */
async function closeWork({
  background,
  outbox,
  log,
}: Pick<Service, 'background' | 'outbox' | 'log'>): Promise<void> {
  await Promise.all([
    waitAtMost(closeTimeoutMs, 'background work', background.close(), log),
    waitAtMost(closeTimeoutMs, 'emails', outbox.close(), log),
  ]);
}

/** Waits for work of which a killed process would leave as much undone. */
async function waitAtMost(
  timeoutMs: number,
  name: string,
  work: Promise<unknown>,
  log: Logger,
): Promise<void> {
  const isDone = await Promise.race([work.then(() => true), pause(timeoutMs, false, { ref: false })]);
  if (!isDone) log.warn({ work: name, timeoutMs }, 'work aborted by the shutdown');
}

/**
 * Validates settings that refer to keys and files, before the database is opened, so that an invalid setting prevents
 * the creation or migration of a database.
 *
 * @throws OperationalError
 */
async function readSettings(config: Config) {
  return {
    configured: await readConfiguredKeys(config),
    providers: readProviders(config.OAUTH_PROVIDERS_FILE),
    transport: createEmailTransport(config),
  };
}

type DataApiOptions = Pick<RestOptions, 'database' | 'log' | 'now'> & {
  readonly config: Config;
  readonly auth: Pick<AuthService, 'authenticate' | 'countForUser'>;
};

/** 100,000 rows in ten minutes: more than an office has accounts. */
const dataWrites = { name: 'data-writes', limit: 100_000, seconds: 600 };

/** Creates the Data API. An unmanaged database has neither a session check nor tables for idempotency keys and limits. */
const createDataApi = ({ config, auth, ...options }: DataApiOptions): Promise<RestService> =>
  createRestService({
    ...options,
    authenticate: auth.authenticate,
    reserveWrites: config.MIGRATE ? (userId, rows) => auth.countForUser(dataWrites, userId, rows) : null,
    settings: config,
    sessionFunctions: config.MIGRATE ? sessionFunctions : null,
    sessionErrors: restSessionErrors,
    idempotencyStore: config.MIGRATE
      ? { table: 'private.request_keys', storeResponse: 'private.keep_answer' }
      : null,
    serverName: 'lanternrock',
    apiName: config.PRODUCT_NAME,
    apiUrl: new URL('/rest/v1/', config.SITE_URL),
  });

const openHasher = ({ AUTH_TIMEOUT }: Config, log: Logger, { recordHash }: Metrics): PasswordHasher =>
  createHasher({
    workerFile: bundlePath('hash-worker'),
    log,
    onResult: recordHash,
    timeoutMs: AUTH_TIMEOUT / 2,
  });

/** Opens the configured database and migrates it, or rejects pending migrations with `mustExist`. */
async function openCurrentDatabase(options: ServiceOptions): ReturnType<typeof openDatabase> {
  const { config, log, mustExist } = options;
  const opened = await openDatabase(config, log, options);
  const { database } = opened;
  try {
    if (config.MIGRATE)
      await (mustExist
        ? requireCurrentSchema({ config, database })
        : migrateDatabase({ config, database, log }));
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Connects the product to the Auth API. */
const createAuthPorts = (config: Config, outbox: Outbox) => ({
  config: { ...config, PASSWORD_WORDS: ['lanternrock', 'platform', 'administrator'] },
  mailer: createAuthMailer(outbox),
  hooks: createAuthHooks(config, outbox),
});

/** The caller that passed the database closes it. */
const leaveOpen = async (): Promise<void> => {};

type WorkSources = Pick<Service, 'config' | 'database' | 'log' | 'auth' | 'auditChain' | 'outbox'> & {
  readonly now: DatabaseClock['read'];
};

/** An unmanaged database has no work. */
function openBackgroundWork({ now, ...sources }: WorkSources): BackgroundWork {
  const backups = createScheduledBackups({
    ...sources,
    now,
    enqueueProblem: (tx, { id, email }, data) =>
      sources.outbox.enqueue(tx, { kind: 'backup_problem', to: email, userId: id, data }),
  });
  const jobs = sources.config.MIGRATE ? managedJobs({ ...sources, backups }) : [];
  const background = createBackgroundWork(jobs, sources.log);
  return {
    ...background,
    close: () => {
      backups.stop();
      return background.close();
    },
  };
}

type AuditChainSources = Pick<Service, 'config' | 'database' | 'keys' | 'outbox' | 'log'> & {
  readonly now: DatabaseClock['read'];
};

/** Opens the audit chain, which sends its reports through the outbox. */
const openAuditChain = async ({ keys, outbox, ...options }: AuditChainSources): Promise<AuditChain> =>
  createAuditChain({
    ...options,
    key: await openAuditKey(keys),
    enqueueReport: (tx, { id, email }, data) =>
      outbox.enqueue(tx, { kind: 'audit_head', to: email, userId: id, data }),
  });

type GaugeSources = Pick<Service, 'config' | 'database' | 'clock' | 'hasher' | 'auditChain'>;

/** An unmanaged database has neither emails nor an audit log. */
const registerServiceGauges = (
  metrics: Metrics,
  { config, database, clock, hasher, auditChain }: GaugeSources,
): void =>
  registerGauges(metrics, {
    database,
    queuedHashes: () => hasher.waiting(),
    queuedEmails: async () =>
      config.MIGRATE
        ? countQueuedDeliveries(database, await clock.read(database))
        : { count: 0, overdueSeconds: 0 },
    lastBackup: async () =>
      config.MIGRATE && config.BACKUP_SCHEDULE !== ''
        ? readBackupMetrics(database, await clock.read(database))
        : noBackupMetrics,
    unsealedEntries: async () => (config.MIGRATE ? auditChain.countUnsealed() : 0),
  });

interface RouteOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Hono<AppEnv>;
  readonly keys: Keys;
  readonly metrics: Metrics;
  readonly rest: RestService;
  readonly auth: AuthService;
  readonly functions: Hono<AppEnv>;
  readonly mailbox: MailboxAccess | null;
  readonly isDemonstration: boolean;
}

/** An unmanaged database has no tables for users, invitations and emails, so only the Data API is served. */
function buildApp(options: RouteOptions): Hono<AppEnv> {
  const { config, log, health, metrics, rest, auth, functions, mailbox } = options;
  const isManaged = config.MIGRATE;
  return createApp({
    config,
    log,
    health,
    metrics: metricsRoutes(config, metrics),
    rest: restRoutes(rest, config.BODY_LIMIT, log),
    auth: isManaged ? auth : null,
    functions: isManaged ? functions : null,
    mailbox: mailbox ? mailboxRoutes({ config, access: mailbox }) : null,
    console: isManaged
      ? loadConsoleFiles({ directory: consoleDistDir, runtime: runtimeConfig(options) })
      : null,
  });
}

const runtimeConfig = ({
  config,
  keys,
  isDemonstration: isDemo,
}: Pick<RouteOptions, 'config' | 'keys' | 'isDemonstration'>): ConsoleOptions['runtime'] => ({
  productName: config.PRODUCT_NAME,
  backendUrl: '',
  siteUrl: config.SITE_URL,
  invitationSeconds: config.INVITATION_TTL,
  anonKey: keys.anonKey,
  features: features.filter((feature) => {
    if (feature === 'passkeys') return config.PASSKEYS;
    if (feature === 'demonstration') return isDemo;
    return feature !== 'local-mailbox' || config.SMTP_URL === '';
  }),
});
