import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { toErrorMessage } from '../errors.ts';
import { UsageError } from './usage-error.ts';

/**
 * Parses arguments strictly.
 *
 * @param options the options of the command; all other arguments are positional
 * @param maxPositionals maximum number of positional arguments
 * @throws UsageError for unknown options and too many arguments
 */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  maxPositionals: number,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    const unexpected = parsed.positionals[maxPositionals];
    if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}.`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const message = toErrorMessage(error);
    // After the first sentence, Node explains a notation that no command uses.
    const [unknown] = /^Unknown option '[^']*'/.exec(message) ?? [];
    throw new UsageError(unknown === undefined ? message : `${unknown}. Run "lanternrock help".`);
  }
}
