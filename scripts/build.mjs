/** Builds the stale bundles of the server and the console. `--force` builds both. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './is-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => path.join(root, ...parts);

const parts = [
  {
    name: 'server',
    result: at('apps/server/dist/lanternrock.js'),
    sources: [at('apps/server/src'), at('apps/server/rolldown.config.ts'), at('packages/contract/src')],
    command: ['rolldown', '-c', 'rolldown.config.ts'],
  },
  {
    name: 'console',
    result: at('apps/console/dist/index.html'),
    sources: [
      at('apps/console/src'),
      at('apps/console/public'),
      at('apps/console/build'),
      at('apps/console/index.html'),
      at('apps/console/auth.html'),
      at('apps/console/vite.config.ts'),
      at('packages/contract/src'),
    ],
    command: ['vite', 'build', '--logLevel', 'warn'],
  },
];

export function build({ force = false } = {}) {
  for (const { name, result, sources, command } of parts) {
    if (!force && !isStale(result, sources)) continue;
    console.log(`Building the ${name} ...`);
    const [tool, ...args] = command;
    execFileSync(process.execPath, [at('node_modules/.bin', tool), ...args], {
      cwd: at('apps', name),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) build({ force: process.argv.includes('--force') });
