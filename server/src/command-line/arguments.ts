/** Reads a command's arguments with Node's own parser; what is wrong is told in one sentence. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Arguments that do not fit the command's usage; ends it with exit code 2. */
export class UsageProblem extends Error {}

/**
 * @param options the flags a command knows; all other arguments are positional.
 * @throws UsageProblem
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageProblem(error instanceof Error ? error.message : String(error));
  }
}
