import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

export const keysCommand: Command = {
  name: 'keys',
  usage: 'show | rotate [--drop-old]',
  about: 'Prints the two API keys, or makes a new signing key; --drop-old ends every token of the old ones.',
  needs: 'newest',
  async run({ keys }, args, output) {
    const { positionals, values } = readArguments(args, { 'drop-old': { type: 'boolean' } }, 1);
    if (positionals[0] === 'show') {
      output.line(`ANON_KEY=${keys.anonKey}`);
      output.line(`SERVICE_ROLE_KEY=${keys.serviceRoleKey}`);
      return 0;
    }
    if (positionals[0] !== 'rotate') throw new UsageProblem('Say show or rotate.');
    await keys.rotate({ dropOld: values['drop-old'] ?? false });
    output.line(
      values['drop-old']
        ? 'A new key signs. Access tokens of the old keys are refused, by other copies within a minute; sessions refresh by themselves.'
        : 'A new key signs. Tokens of the old keys stay good until they end.',
    );
    return 0;
  },
};
