import type { Database } from '@lanternrock/postgres';
import { parseArguments } from '../parse-arguments.ts';
import type { Command, CommandIO } from '../command.ts';
import { setCommandOrigin } from '../audit-origin.ts';
import { fillDemonstration, sampleCounts } from '../sample-data.ts';

export const demoCommand: Command = {
  name: 'demo',
  usage: '',
  description: 'Add sample accounts, members and invitations to an empty instance.',
  parse(args) {
    parseArguments(args, {}, 0);
    return { requires: 'current-schema', run: ({ database }, io) => addSampleData(database, io) };
  },
};

/** @returns the exit code */
export async function addSampleData(database: Database, io: CommandIO): Promise<number> {
  const filled = await database.transaction(async (tx) => {
    await setCommandOrigin(io)(tx);
    return fillDemonstration(tx);
  });
  const { accounts, members, invitations } = sampleCounts;
  io.print(
    filled
      ? `Added ${accounts} sample accounts, ${members} members and ${invitations} invitations.`
      : 'Accounts already exist. Nothing was added.',
  );
  if (!filled) return 0;
  io.print(
    io.inService
      ? 'Restart the service: all screens then say that the data is invented.'
      : 'Run "lanternrock start". Without an administrator, it prints the link for the first one.',
  );
  return 0;
}
