/**
 * `npm run check`: the checks of the sources, the fast ones first. All of them run, so that one call reports every
 * failure, with the command that fixes it if there is one.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => path.join('node_modules/.bin', name);

const typed = [
  'packages/contract',
  'packages/postgres',
  'packages/rest',
  'packages/auth',
  'packages/testing',
  'apps/server',
  'apps/console',
  'apps/console/build',
  'e2e',
];

const checks = [
  { name: 'format', args: [bin('oxfmt'), '--check'], fix: 'npm run format' },
  { name: 'source rules', args: ['scripts/check-source.mjs'] },
  {
    name: 'tests of requirements',
    args: ['scripts/requirement-tests.mjs', '--check'],
    fix: 'npm run generate -- requirements',
  },
  ...typed.map((directory) => ({ name: `types of ${directory}`, args: [bin('tsc'), '-p', directory] })),
  { name: 'unused code', args: [bin('knip')] },
  { name: 'lint', args: [bin('oxlint'), '--type-aware'] },
];

const failed = checks.filter(({ name, args }) => {
  const started = Date.now();
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  return status !== 0;
});

for (const { name, fix } of failed)
  console.error(`Failed: ${name}${fix === undefined ? '; see its output above' : `; run ${fix}`}`);
process.exit(failed.length === 0 ? 0 : 1);
