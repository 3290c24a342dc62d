/** Runs a command without a service: opens what it needs, and closes it again. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { Patient } from '../doctor/examine.ts';
import { wordsOf } from '../doctor/finding.ts';
import { openDatabase } from '../open-database.ts';
import { requireOwn, versionRemark } from '../schema-version.ts';
import { openService } from '../service.ts';
import type { Command, Output } from './command.ts';

interface Parts {
  readonly config: Config;
  readonly log: Logger;
}

/** @returns the exit code. @throws UsageProblem, and StartFailure where there is not what the command needs. */
export async function runAlone(
  command: Command,
  args: readonly string[],
  parts: Parts,
  output: Output,
): Promise<number> {
  await command.check?.(args, output.folder, parts.config);
  switch (command.needs) {
    case 'newest': {
      requireOwn(parts.config);
      const service = await openService({ ...parts, existing: true });
      return thenClose(service, () => command.run(service, args, output));
    }
    case 'anything': {
      const opened = await openOrTell(parts);
      return thenClose(opened, () => command.run({ ...parts, database: opened.database }, args, output));
    }
    case 'nothing': {
      requireOwn(parts.config);
      const opened = await openDatabase(parts.config, parts.log);
      return thenClose(opened, () => command.run({ ...parts, database: opened.database }, args, output));
    }
    case 'instance': {
      const opened = await openDatabase(parts.config, parts.log, { existing: true });
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
async function openOrTell({ config, log }: Parts): Promise<Closable & Pick<Patient, 'database'>> {
  try {
    // Looking must change nothing.
    return await openDatabase(config, log, { existing: true });
  } catch (error) {
    return { database: { problem: wordsOf(error) }, close: async () => {} };
  }
}

/** Says that the database is of another version. */
async function remark(database: Database, { MIGRATE }: Config, output: Output): Promise<void> {
  const told = MIGRATE ? await versionRemark(database) : null;
  if (told) output.problem(told);
}
