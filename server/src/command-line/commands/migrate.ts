import { migrate } from '../../database/migrate.ts';
import { readArguments } from '../arguments.ts';
import type { Command } from '../command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  about: 'Brings the database to this version.',
  creates: true,
  check: async (args) => void readArguments(args, {}),
  async run(service, _args, output) {
    const applied = await migrate(service.database);
    output.line(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
    return 0;
  },
};
