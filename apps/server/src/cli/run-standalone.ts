/** Runs a command without a service: opens what it needs, and closes it again. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import type { DoctorContext } from '../doctor/run-checks.ts';
import { errorMessage } from '../doctor/check-result.ts';
import { openDatabase } from '../database/open-database.ts';
import { requireManagedDatabase, schemaVersionWarning } from '../database/schema-version.ts';
import { openService } from '../service.ts';
import type { Command, Output } from './command.ts';

interface Parts {
  readonly config: Config;
  readonly log: Logger;
}

/** @returns the exit code. @throws UsageError, and OperationalError where there is not what the command needs. */
export async function runStandalone(
  command: Command,
  args: readonly string[],
  parts: Parts,
  output: Output,
): Promise<number> {
  await command.validate?.(args, output.cwd, parts.config);
  switch (command.requires) {
    case 'current-schema': {
      requireManagedDatabase(parts.config);
      const service = await openService({ ...parts, mustExist: true });
      return thenClose(service, () => command.run(service, args, output));
    }
    case 'any': {
      const opened = await openOrTell(parts);
      return thenClose(opened, () => command.run({ ...parts, database: opened.database }, args, output));
    }
    case 'none': {
      requireManagedDatabase(parts.config);
      const opened = await openDatabase(parts.config, parts.log);
      return thenClose(opened, () => command.run({ ...parts, database: opened.database }, args, output));
    }
    case 'database': {
      const opened = await openDatabase(parts.config, parts.log, { mustExist: true });
      return thenClose(opened, async () => {
        await remark(opened.database, parts.config, output);
        return command.run({ ...parts, database: opened.database }, args, output);
      });
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

/** The database of an instance, or why it does not open. */
async function openOrTell({ config, log }: Parts): Promise<Closable & Pick<DoctorContext, 'database'>> {
  try {
    // Looking must change nothing.
    return await openDatabase(config, log, { mustExist: true });
  } catch (error) {
    return { database: { problem: errorMessage(error) }, close: async () => {} };
  }
}

/** Says that the database is of another version. */
async function remark(database: Database, { MIGRATE }: Config, output: Output): Promise<void> {
  const told = MIGRATE ? await schemaVersionWarning(database) : null;
  if (told) output.printError(told);
}
