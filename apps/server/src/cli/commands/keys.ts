import { parseArguments, UsageError } from '../parse-arguments.ts';
import type { Command } from '../command.ts';

export const keysCommand: Command = {
  name: 'keys',
  usage: 'show | rotate [--drop-old]',
  description:
    'Prints the two API keys, or makes a new signing key; --drop-old ends every token of the old ones.',
  requires: 'current-schema',
  async run({ keys }, args, output) {
    const { positionals, values } = parseArguments(args, { 'drop-old': { type: 'boolean' } }, 1);
    if (positionals[0] === 'show') {
      output.print(`ANON_KEY=${keys.anonKey}`);
      output.print(`SERVICE_ROLE_KEY=${keys.serviceRoleKey}`);
      return 0;
    }
    if (positionals[0] !== 'rotate') throw new UsageError('Say show or rotate.');
    await keys.rotate({ dropOld: values['drop-old'] ?? false });
    output.print(
      values['drop-old']
        ? 'A new key signs. Access tokens of the old keys are refused, by other copies within a minute; sessions refresh by themselves.'
        : 'A new key signs. Tokens of the old keys stay good until they end.',
    );
    return 0;
  },
};
