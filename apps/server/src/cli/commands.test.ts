/** Checks that docs/operations.md lists the commands of the help. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import type { Invocation } from './command.ts';
import { allCommands, commands } from './commands.ts';

/** What a command does with a database of an earlier version. */
const beforeMigration: Readonly<Record<Exclude<Invocation['requires'], 'nothing'>, string>> = {
  none: 'migrates it',
  'new-database': 'migrates it',
  database: 'reads it as it is',
  any: 'reads it as it is',
  'current-schema': 'rejects it',
  service: 'rejects it',
  'service-settings': 'rejects it',
};

/** Arguments of one call of each command that has required arguments. */
const sampleArguments: Readonly<Record<string, readonly string[]>> = {
  invite: ['robin@example.org', '--name', 'Robin Hart'],
  admins: ['list'],
  accounts: ['list'],
  keys: ['show'],
  backup: ['FILE'],
  restore: ['FILE'],
};

function describeRequirement(name: string): string {
  const command = commands.find((candidate) => candidate.name === name);
  const requires = command?.parse(sampleArguments[name] ?? []).requires ?? 'none';
  return requires === 'nothing' ? 'does not open it' : beforeMigration[requires];
}

it('lists every command with its usage and description in docs/operations.md', () => {
  const page = fs.readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `lanternrock '));
  expect(rows).toEqual(
    allCommands.map(({ name, usage, description }) => {
      const synopsis = `lanternrock ${name} ${usage}`.trim().replaceAll('|', '\\|');
      return `| \`${synopsis}\` | ${description.replaceAll('|', '\\|')} | ${describeRequirement(name)} |`;
    }),
  );
});
