/** Checks that docs/operations.md lists the commands of the help. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { allCommands } from './commands.ts';

const beforeMigration = {
  none: 'migrates it',
  'new-database': 'migrates it',
  database: 'reads it as it is',
  any: 'reads it as it is',
  'current-schema': 'rejects it',
} as const;

it('lists every command with its usage and description in docs/operations.md', () => {
  const page = fs.readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `lanternrock '));
  expect(rows).toEqual(
    allCommands.map(({ name, usage, description, requires }) => {
      const synopsis = `lanternrock ${name} ${usage}`.trim().replaceAll('|', '\\|');
      return `| \`${synopsis}\` | ${description.replaceAll('|', '\\|')} | ${beforeMigration[requires]} |`;
    }),
  );
});
