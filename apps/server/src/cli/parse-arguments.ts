/** Parses arguments strictly: unknown options and extra arguments are usage errors. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { errorMessage } from '../errors.ts';

/** Invalid arguments. The command exits with code 2. */
export class UsageError extends Error {}

/**
 * @param options the options of the command; all other arguments are positional
 * @param maxPositionals maximum number of positional arguments
 * @throws UsageError for unknown options and too many arguments
 */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  maxPositionals: number,
) {
  const parsed = parse(args, options);
  const unexpected = parsed.positionals[maxPositionals];
  if (unexpected !== undefined) throw new UsageError(`Unexpected argument: ${unexpected}.`);
  return parsed;
}

function parse<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = errorMessage(error);
    // After the first sentence, Node explains a notation that no command uses.
    const [unknown] = /^Unknown option '[^']*'/.exec(message) ?? [];
    throw new UsageError(unknown === undefined ? message : `${unknown}. Run "lanternrock help".`);
  }
}
