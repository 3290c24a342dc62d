/** The help of the program and of each command. */
import { allCommands, type CommandHelp } from './commands.ts';

const synopsisColumn = 34;

/** Returns the lines of the help of the program. */
export function formatHelp(): string[] {
  const rows = allCommands.map(({ name, usage, description }) => {
    const synopsis = `${name} ${usage}`;
    const isLong = synopsis.length > synopsisColumn;
    const column = isLong ? `${synopsis}\n  ${''.padEnd(synopsisColumn)}` : synopsis.padEnd(synopsisColumn);
    return `  ${column} ${description}`;
  });
  return [
    'Usage: lanternrock [--settings FILE] COMMAND\n',
    ...rows,
    '',
    'Settings come from the environment, and from FILE; see docs/configuration.md.',
    'lanternrock COMMAND --help describes a command. lanternrock --version prints the version.',
    exitCodes,
  ];
}

/** Returns the lines of the help of a command. */
export const formatCommandHelp = ({ name, usage, description }: CommandHelp): string[] => [
  ...usage
    .split(/ \| (?=\S)/)
    .map((form, index) => `${index === 0 ? 'Usage:' : '      '} lanternrock ${name} ${form}`.trimEnd()),
  '',
  description,
  exitCodes,
];

const exitCodes = 'Exit codes: 0 success, 1 failure, 2 usage error.';

/** Returns true if the arguments of a command ask for its help. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args
    .slice(0, end < 0 ? undefined : end)
    .some((argument) => argument === '--help' || argument === '-h');
}
