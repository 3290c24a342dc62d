/** Opens everything that one instance is made of, in order, and closes it in the opposite order. */
import fs from 'node:fs';
import type { Hono } from 'hono';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { AppEnv } from './app-env.ts';
import { createApp } from './app.ts';
import { createAuthService } from './auth/auth-service.ts';
import { describeHolder } from './command-line/control-socket.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { lockDirectory, type DirectoryLock } from './database/embedded/lock.ts';
import { openEmbedded } from './database/embedded/open.ts';
import { openExternal } from './database/external.ts';
import { migrate } from './database/migrate.ts';
import { DatabaseFailure, DatabaseUnavailable } from './database/database.ts';
import { StartFailure } from './errors.ts';
import { createFunctions } from './functions/functions-service.ts';
import { createInvitations, type Invitations } from './invitations/invitations.ts';
import { loadKeys, type Keys } from './keys/keys.ts';
import { mailboxRoutes } from './mail/mailbox-routes.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { createHasher, type PasswordHasher } from './passwords/hasher.ts';
import { consoleDist } from './paths.ts';
import { createRest } from './rest/rest-service.ts';
import { openConsole } from './web/console-files.ts';
import { healthRoutes } from './web/health.ts';
import { createRegistry, metricsRoutes } from './web/metrics.ts';

export interface Service {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly keys: Keys;
  readonly hasher: PasswordHasher;
  readonly outbox: Outbox;
  readonly invitations: Invitations;
  readonly registry: Registry;
  readonly app: Hono<AppEnv>;
  /** The lock on the embedded database's directory; null with DATABASE_URL. */
  readonly lock: DirectoryLock | null;
  /** Finishes what runs, then closes the database. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The clock; tests bring their own. */
  readonly now?: () => Date;
  /** An open database, instead of the one that the configuration names. */
  readonly database?: Database;
}

/**
 * @throws StartFailure with one clear line for what an operator can mend.
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, log, now = () => new Date() } = options;
  const opened = options.database ? { database: options.database, lock: null } : await openDatabase(config, log);
  const { database, lock } = opened;
  try {
    if (config.MIGRATE && !options.database) {
      const applied = await migrate(database).catch((error: unknown) => {
        if (!(error instanceof DatabaseFailure) || error.code !== '42501') throw error;
        const more = 'The login must own the database and have CREATEROLE.';
        throw new StartFailure(`The migrations of DATABASE_URL were refused: ${error.message}. ${more}`);
      });
      if (applied.length > 0) log.info({ applied }, 'migrated');
    }
    const keys = await loadKeys({ config, database, log });
    const hasher = createHasher({ log });
    const outbox = createOutbox({ config, database, keys, log, now });
    const invitations = createInvitations({ config, database, outbox, log, now });
    const auth = createAuthService({ config, database, keys, hasher, outbox, log, now });
    const rest = await createRest({ config, database, identify: auth.identify, log, now });
    const functions = createFunctions({ config, database, identify: auth.identify, invitations, outbox, log, now });
    const registry = createRegistry();
    const whole = config.MIGRATE;
    const app = createApp({
      config,
      log,
      health: healthRoutes(database),
      metrics: metricsRoutes(config, registry),
      rest: rest.routes,
      auth: whole ? auth.routes : null,
      functions: whole ? functions : null,
      mailbox: whole && !config.SMTP_URL ? mailboxRoutes({ config }) : null,
      console: whole
        ? openConsole({
            folder: consoleDist,
            runtime: {
              productName: config.PRODUCT_NAME,
              backendUrl: '',
              anonKey: keys.anonKey,
              passkeys: config.PASSKEYS,
            },
          })
        : null,
    });
    return {
      config,
      log,
      database,
      keys,
      hasher,
      outbox,
      invitations,
      registry,
      app,
      lock,
      close: async () => {
        await outbox.close();
        await hasher.close();
        // A database that was handed in belongs to its opener.
        if (!options.database) await database.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await database.close();
    await lock?.release();
    throw error;
  }
}

async function openDatabase(
  config: Config,
  log: Logger,
): Promise<{ database: Database; lock: DirectoryLock | null }> {
  const onConnectionError = (error: Error): void => log.warn({ err: error }, 'database connection lost');
  prepareDirectory(config.DATA_DIR);
  if (config.DATABASE_URL) {
    const database = await openExternal({
      url: config.DATABASE_URL,
      poolSize: config.DATABASE_POOL,
      waitLimit: config.DATABASE_WAIT,
      onConnectionError,
    }).catch((error: unknown) => {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      throw new StartFailure(`The database of DATABASE_URL does not answer: ${error.message}`, { cause: error });
    });
    if (database.superuser) log.warn('DATABASE_URL logs in as a superuser; an owner with CREATEROLE is enough');
    return { database, lock: null };
  }
  const lock = await lockDirectory(config.DATA_DIR, describeHolder);
  try {
    const answerLimit = config.STATEMENT_TIMEOUT + 1000;
    return { database: await openEmbedded({ dataDir: config.DATA_DIR, answerLimit, onConnectionError }), lock };
  } catch (error) {
    await lock.release();
    throw new StartFailure(`The embedded database in ${config.DATA_DIR} does not open: ${String(error)}`, {
      cause: error,
    });
  }
}

function prepareDirectory(directory: string): void {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
    fs.accessSync(directory, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new StartFailure(`DATA_DIR ${directory} cannot be written (${code}). Set DATA_DIR to another folder.`);
  }
}
