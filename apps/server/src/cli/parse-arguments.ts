/** Reads a command's arguments with Node's own parser; what is wrong is told in one sentence. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Arguments that do not fit the command's usage; ends it with exit code 2. */
export class UsageError extends Error {}

/**
 * @param options the flags a command knows; all other arguments are positional.
 * @param most positional arguments that it takes
 * @throws UsageError for everything beyond them
 */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  most: number,
) {
  const read = parse(args, options);
  const surplus = read.positionals[most];
  if (surplus !== undefined) throw new UsageError(`There is no place for the argument ${surplus} here.`);
  return read;
}

function parse<const Options extends ParseArgsOptionsConfig>(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    // Behind the first sentence Node explains a notation that no command needs.
    const [unknown] = /^Unknown option '[^']*'/.exec(words) ?? [];
    throw new UsageError(unknown === undefined ? words : `${unknown}. lanternrock help lists them.`);
  }
}
