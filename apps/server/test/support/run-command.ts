/** Runs commands without a running service. */
import { pino } from 'pino';
import { commands } from '../../src/cli/commands.ts';
import { runStandalone } from '../../src/cli/run-standalone.ts';
import type { Config } from '../../src/config/settings.ts';
import { captureOutput } from './command-output.ts';

/**
 * Returns the printed lines, and as `code` the exit code or the message of the error that the command throws.
 */
export async function runCommand(config: Config, name: string, ...args: string[]) {
  const output = captureOutput(config.DATA_DIR);
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`no command ${name}`);
  const parts = { config, log: pino({ level: 'silent' }) };
  const run = async (): Promise<number> => runStandalone(command.parse(args), parts, output);
  const code = await run().catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  return { code, lines: output.lines, problems: output.problems };
}
