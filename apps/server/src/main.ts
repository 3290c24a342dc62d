/** Entry of the command line, and with `start` of the service. */
import { connectToService } from '@lanternrock/postgres/lock';
import type { Command, Output } from './cli/command.ts';
import { allCommands, commands } from './cli/commands.ts';
import { sendCommand } from './cli/control-socket.ts';
import { osUsername } from './cli/audit-origin.ts';
import { reportError } from './cli/report-error.ts';
import { runStandalone } from './cli/run-standalone.ts';
import { start } from './cli/start.ts';
import { readConfig, type Config } from './config/settings.ts';
import { createLogger } from './log.ts';

let unheard = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read along has read enough, as head does.
  if (error.code !== 'EPIPE') throw error;
  unheard = true;
});

const output: Output = {
  cwd: process.cwd(),
  osUser: osUsername(),
  inService: false,
  print: (text) => void process.stdout.write(`${text}\n`),
  printError: (text) => void process.stderr.write(`${text}\n`),
  isClosed: () => unheard,
};

function help(): void {
  output.print('Usage: lanternrock COMMAND\n');
  for (const { name, usage, description } of allCommands) {
    const typed = `${name} ${usage}`;
    const own = typed.length > 34 ? `${typed}\n  ${''.padEnd(34)}` : typed.padEnd(34);
    output.print(`  ${own} ${description}`);
  }
  output.print('\nSettings come from the environment; see docs/configuration.md.');
}

/** Through the running service when there is one, else on the database itself. */
async function runCommand(command: Command, args: readonly string[], config: Config): Promise<number> {
  const running = config.DATABASE_URL ? null : await connectToService(config.DATA_DIR);
  if (running) return sendCommand(running, command.name, args, output);
  // What concerns the command it says itself; doctor tells the rest.
  const log = createLogger('error', true);
  return runStandalone(command, args, { config, log }, output);
}

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help') return help();
  const config = readConfig();
  if (name === 'start') return start(config, createLogger(config.LOG_LEVEL), args);
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) {
    output.printError(`There is no command ${name}. lanternrock help lists them.`);
    process.exit(2);
  }
  process.exit(await runCommand(command, args, config));
}

main(process.argv.slice(2)).catch((error: unknown) => process.exit(reportError(error, output)));
