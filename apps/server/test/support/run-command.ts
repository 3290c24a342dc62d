/** Commands as somebody types them where no service runs. */
import { pino } from 'pino';
import { commands } from '../../src/cli/commands.ts';
import { runStandalone } from '../../src/cli/run-standalone.ts';
import type { Config } from '../../src/config/settings.ts';
import { captureOutput } from './command-output.ts';

/** @returns what was printed, and as `code` the words of the refusal where the command throws one. */
export async function runCommand(config: Config, name: string, ...args: string[]) {
  const output = captureOutput(config.DATA_DIR);
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`no command ${name}`);
  const parts = { config, log: pino({ level: 'silent' }) };
  const code = await runStandalone(command, args, parts, output).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  return { code, lines: output.lines, problems: output.problems };
}
