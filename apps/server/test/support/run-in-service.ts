/** Runs commands in a test service. */
import { commands } from '../../src/cli/commands.ts';
import { captureOutput } from './command-output.ts';
import type { TestService } from './test-service.ts';

/** @returns the printed lines, and as `code` the exit code or the message of the error that the command throws */
export async function runCommandIn(test: TestService, name: string, ...args: string[]) {
  const output = captureOutput(test.config.DATA_DIR);
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new Error(`no command ${name}`);
  const run = async (): Promise<number> => command.parse(args).run(test.service, output);
  const code = await run().catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  return { code, lines: output.lines };
}
