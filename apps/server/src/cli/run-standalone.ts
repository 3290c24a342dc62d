/**
 * Runs a command without a running service: opens the database or service that it requires and closes it afterwards.
 */
import type { Logger } from 'pino';
import { openCurrentEncryptor } from '@lanternrock/auth/keys';
import type { Database } from '@lanternrock/postgres';
import { createDatabaseClock } from '@lanternrock/postgres/clock';
import type { Config } from '../config/settings.ts';
import type { DoctorContext } from '../doctor/run-checks.ts';
import { toErrorMessage } from '../errors.ts';
import { openDatabase } from '../database/open-database.ts';
import {
  requireCurrentSchema,
  requireManagedDatabase,
  findSchemaVersionWarning,
} from '../database/schema-version.ts';
import { requireServiceSettings } from '../database/service-settings.ts';
import { openService } from '../service.ts';
import type { CommandIO, Invocation } from './command.ts';

interface StandaloneOptions {
  readonly config: Config;
  readonly log: Logger;
}

/**
 * @returns the exit code
 * @throws UsageError
 * @throws OperationalError if the database does not meet the requirement of the command
 */
export async function runStandalone(
  invocation: Invocation,
  options: StandaloneOptions,
  io: CommandIO,
): Promise<number> {
  const { config, log } = options;
  switch (invocation.requires) {
    case 'nothing':
      return invocation.run(null, io);
    case 'any': {
      const opened = await tryOpenDatabase(options);
      return thenClose(opened, () => invocation.run({ ...options, database: opened.database }, io));
    }
    case 'database': {
      await invocation.prepare?.(io.files, config);
      const opened = await openDatabase(config, log, { mustExist: true });
      return thenClose(opened, async () => {
        await warnAboutVersion({ config, database: opened.database }, io);
        return invocation.run({ ...options, database: opened.database }, io);
      });
    }
    case 'none':
    case 'new-database': {
      await invocation.prepare?.(io.files, config);
      requireManagedDatabase(config);
      const replacesLost = invocation.requires === 'new-database';
      const opened = await openDatabase(config, log, { replacesLost });
      return thenClose(opened, () => invocation.run({ ...options, database: opened.database }, io));
    }
    case 'current-schema': {
      requireManagedDatabase(config);
      const { database, close } = await openDatabase(config, log, { mustExist: true });
      return thenClose({ close }, async () => {
        await requireCurrentSchema({ config, database });
        return invocation.run({ database, clock: createDatabaseClock() }, io);
      });
    }
    case 'service':
    case 'service-settings': {
      requireManagedDatabase(config);
      const onOpened = async (database: Database): Promise<void> => {
        if (invocation.requires === 'service') return;
        await requireServiceSettings({ config, database, keys: openCurrentEncryptor(config) });
      };
      const service = await openService({ ...options, mustExist: true, onOpened });
      return thenClose(service, () => invocation.run(service, io));
    }
  }
}

interface Closable {
  close(): Promise<void>;
}

async function thenClose<T>(opened: Closable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await opened.close();
  }
}

/** Opens the database, or returns the reason why it cannot be opened. */
async function tryOpenDatabase({
  config,
  log,
}: StandaloneOptions): Promise<Closable & Pick<DoctorContext, 'database'>> {
  try {
    // A diagnostic command must not create a database.
    return await openDatabase(config, log, { mustExist: true });
  } catch (error) {
    return { database: { error: toErrorMessage(error) }, close: async () => {} };
  }
}

async function warnAboutVersion(
  opened: { readonly config: Config; readonly database: Database },
  io: CommandIO,
): Promise<void> {
  const warning = opened.config.MIGRATE ? await findSchemaVersionWarning(opened) : null;
  if (warning) io.printError(warning);
}
