/** The table of docs/operations.md names every command as the help does. */
import fs from 'node:fs';
import { expect, it } from 'vitest';
import { allCommands } from './commands.ts';

const untilMigrated = {
  none: 'migrates it',
  database: 'reads it as it is',
  any: 'reads it as it is',
  'current-schema': 'refuses',
} as const;

it('docs/operations.md lists every command as the help does', () => {
  const page = fs.readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `lanternrock '));
  expect(rows).toEqual(
    allCommands.map(({ name, usage, description, requires }) => {
      const typed = `lanternrock ${name} ${usage}`.trim().replaceAll('|', '\\|');
      return `| \`${typed}\` | ${description.replaceAll('|', '\\|')} | ${untilMigrated[requires]} |`;
    }),
  );
});
