/** Entry point of the command line; the command `start` runs the service. */
import { setImmediate } from 'node:timers/promises';
import type { Command, CommandIO } from './cli/command.ts';
import { allCommands, commands } from './cli/commands.ts';
import { sendCommand } from './cli/command-server.ts';
import { readGlobalOptions } from './cli/global-options.ts';
import { asksForHelp, formatCommandHelp, formatHelp } from './cli/help.ts';
import { readOsUsername } from './cli/os-username.ts';
import { createLocalFiles } from './cli/local-files.ts';
import { reportError } from './cli/report-error.ts';
import { runStandalone } from './cli/run-standalone.ts';
import { start } from './cli/start.ts';
import { UsageError } from './cli/usage-error.ts';
import { whenDrained } from './cli/when-drained.ts';
import { addSettingsFile, readCommandDirectory, readConfig } from './config/settings.ts';
import { connectToService } from './database/control-socket.ts';
import { createLogger } from './log.ts';
import { version } from './version.ts';

/** Why standard output accepts nothing more. */
let outputError: NodeJS.ErrnoException | null = null;
process.stdout.on('error', (error) => {
  outputError ??= error;
});
/** Without a reader, for example after `head`, a partial output is not an error. */
const hasReader = (): boolean => outputError?.code !== 'EPIPE';

const io: CommandIO = {
  files: createLocalFiles(readCommandDirectory()),
  osUser: readOsUsername(),
  inService: false,
  print: (text) => void process.stdout.write(`${text}\n`),
  printError: (text) => void process.stderr.write(`${text}\n`),
  drained: () => whenDrained(process.stdout),
  isClosed: () => outputError !== null,
};

function print(lines: readonly string[]): number {
  for (const line of lines) io.print(line);
  return 0;
}

/** Runs a command in the running service if there is one, otherwise standalone. */
async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  const invocation = command.parse(args);
  if (invocation.requires === 'nothing') return invocation.run(null, io);
  const config = readConfig();
  const running = config.DATABASE_URL ? null : await connectToService(config.DATA_DIR);
  if (running) return sendCommand(running, command.name, args, io, invocation.writableFiles);
  // Only errors: a command prints its own warnings, and `doctor` reports the others.
  const log = createLogger('error', true);
  return runStandalone(invocation, { config, log }, io);
}

/** Returns the exit code; null if the process continues to run. */
async function main(allArgs: readonly string[]): Promise<number | null> {
  const {
    settingsFile,
    rest: [name = 'help', ...args],
  } = readGlobalOptions(allArgs);
  if (name === '--version' || name === '-v') return print([`lanternrock ${version}`]);
  const isHelp = name === 'help' || name === '--help' || name === '-h';
  if (isHelp && args.length === 0) return print(formatHelp());
  const commandName = isHelp ? args[0] : name;
  const described = allCommands.find((candidate) => candidate.name === commandName);
  if (!described) throw new UsageError(`Unknown command: ${commandName}. Run "lanternrock help".`);
  if (isHelp || asksForHelp(args)) return print(formatCommandHelp(described));
  if (settingsFile !== null) addSettingsFile(settingsFile);
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return runCommand(command, args);
  const config = readConfig();
  return start(config, createLogger(config.LOG_LEVEL), args).then(() => null);
}

async function exit(code: number): Promise<void> {
  // An error of a write is reported after it.
  await setImmediate();
  if (outputError === null || !hasReader()) process.exit(code);
  io.printError(`Cannot write standard output (${outputError.code}). The output is incomplete.`);
  process.exit(1);
}

main(process.argv.slice(2)).then(
  (code) => (code === null ? undefined : exit(code)),
  (error: unknown) => process.exit(hasReader() ? reportError(error, io) : 1),
);
