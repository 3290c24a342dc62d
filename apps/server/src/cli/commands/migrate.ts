import { isInitialized } from '@lanternrock/postgres/migrations';
import { migrateDatabase, describeDatabase } from '../../database/schema-version.ts';
import { parseArguments } from '../parse-arguments.ts';
import type { Command, CommandIO, DatabaseContext } from '../command.ts';
import { recordOperationNow } from '../record-operation.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  description: 'Apply pending migrations.',
  parse(args) {
    parseArguments(args, {}, 0);
    return { requires: 'none', run: migrate };
  },
};

async function migrate(opened: DatabaseContext, io: CommandIO): Promise<number> {
  const location = await describeDatabase(opened);
  const existing = await isInitialized(opened.database);
  const applied = await migrateDatabase(opened);
  // An entry in a new instance would make it unfit for a restore.
  if (existing && applied.length > 0)
    await recordOperationNow(opened.database, io, 'database_migrated', { migrations: applied.length });
  const migrations = `${applied.length} migration${applied.length === 1 ? '' : 's'}`;
  if (!existing) io.print(`Created an instance in ${location}.`);
  else if (applied.length === 0) io.print(`No pending migrations in ${location}.`);
  else io.print(`Applied ${migrations} to ${location}: ${applied.join(', ')}.`);
  return 0;
}
