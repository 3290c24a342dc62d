import { readArguments, UsageProblem } from '../arguments.ts';
import type { Command } from '../command.ts';

export const keysCommand: Command = {
  name: 'keys',
  usage: 'rotate [--drop-old]',
  about: 'Makes a new signing key; --drop-old ends every token of the old ones.',
  needs: 'newest',
  async run({ keys }, args, output) {
    const { positionals, values } = readArguments(args, { 'drop-old': { type: 'boolean' } }, 1);
    if (positionals[0] !== 'rotate') throw new UsageProblem('Say rotate.');
    await keys.rotate({ dropOld: values['drop-old'] ?? false });
    output.line(
      values['drop-old']
        ? 'A new key signs. Access tokens of the old keys are refused, by other copies within a minute; sessions refresh by themselves.'
        : 'A new key signs. Tokens of the old keys stay good until they end.',
    );
    return 0;
  },
};
