import { hasInstance } from '../../database/migrate.ts';
import { migrateDatabase, placeOf } from '../../schema-version.ts';
import { readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  about: 'Brings the database to this version, and says what it did and where.',
  needs: 'nothing',
  check: async (args) => void readArguments(args, {}, 0),
  async run(opened, args, output) {
    readArguments(args, {}, 0);
    const place = await placeOf(opened);
    const existing = await hasInstance(opened.database);
    const applied = await migrateDatabase(opened);
    const count = `${applied.length} migration${applied.length === 1 ? '' : 's'}`;
    if (!existing) output.line(`Made a new instance in ${place}.`);
    else if (applied.length === 0) output.line(`Nothing to apply in ${place}.`);
    else output.line(`Applied ${count} to ${place}: ${applied.join(', ')}.`);
    return 0;
  },
};
