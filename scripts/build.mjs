/** Builds the stale bundles of the server and the console. `--force` builds both. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './is-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const fromRoot = (...parts) => path.join(root, ...parts);

const parts = [
  {
    name: 'server',
    result: fromRoot('apps/server/dist/lanternrock.js'),
    sources: [
      fromRoot('apps/server/src'),
      fromRoot('apps/server/rolldown.config.ts'),
      fromRoot('packages/auth/src'),
      fromRoot('packages/contract/src'),
      fromRoot('packages/postgres/src'),
      fromRoot('packages/rest/src'),
      // The bundle contains packages.
      fromRoot('package-lock.json'),
    ],
    command: ['rolldown', '-c', 'rolldown.config.ts'],
  },
  {
    name: 'console',
    result: fromRoot('apps/console/dist/index.html'),
    sources: [
      fromRoot('apps/console/src'),
      fromRoot('apps/console/public'),
      fromRoot('apps/console/build'),
      fromRoot('apps/console/index.html'),
      fromRoot('apps/console/auth.html'),
      fromRoot('apps/console/vite.config.ts'),
      fromRoot('packages/contract/src'),
    ],
    command: ['vite', 'build', '--logLevel', 'warn'],
  },
];

export function build({ force = false } = {}) {
  for (const { name, result, sources, command } of parts) {
    if (!force && !isStale(result, sources)) continue;
    console.log(`Building the ${name} ...`);
    const [tool, ...args] = command;
    execFileSync(process.execPath, [fromRoot('node_modules/.bin', tool), ...args], {
      cwd: fromRoot('apps', name),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build({ force: process.argv.includes('--force') });
