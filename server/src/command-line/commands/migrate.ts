import { migrate } from '../../database/migrate.ts';
import { readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  about: 'Brings the database to this version.',
  creates: true,
  check: async (args) => void readArguments(args, {}, 0),
  async run(service, args, output) {
    readArguments(args, {}, 0);
    const applied = await migrate(service.database);
    output.line(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
    return 0;
  },
};
