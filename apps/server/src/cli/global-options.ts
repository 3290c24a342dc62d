/** Options before the name of a command. */
import { UsageError } from './usage-error.ts';

interface GlobalOptions {
  /** The file of `--settings`; null without the option. */
  readonly settingsFile: string | null;
  /** The name of the command and its arguments. */
  readonly rest: readonly string[];
}

/** @throws UsageError if `--settings` has no file */
export function readGlobalOptions(args: readonly string[]): GlobalOptions {
  const [first = '', second, ...others] = args;
  const [name, value] = first.split(/=(.*)/s);
  if (name !== '--settings') return { settingsFile: null, rest: args };
  const settingsFile = value ?? second;
  if (!settingsFile) throw new UsageError('--settings needs a file.');
  return { settingsFile, rest: value === undefined ? others : args.slice(1) };
}
