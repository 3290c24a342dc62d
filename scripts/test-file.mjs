/**
 * `npm run test:file -- FILE [--engine embedded|postgres]`: runs one test file with the runner that it needs. Builds
 * stale bundles before a browser or process test. With an engine, only that engine is prepared, and `eachEngine` runs on
 * it only. Further arguments go to the runner.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const at = args.indexOf('--engine');
const [, engine = ''] = at === -1 ? [] : args.splice(at, 2);
const [file = '', ...more] = args;

if (file === '' || !['', 'embedded', 'postgres'].includes(engine)) {
  console.error('Usage: npm run test:file -- FILE [--engine embedded|postgres]');
  process.exit(2);
}

/** The arguments of Node for the runner of a test file. */
function runnerFor(name) {
  if (name.endsWith('.spec.ts'))
    return ['node_modules/@playwright/test/cli.js', 'test', name, '--reporter=line'];
  const inProcess = name.includes('/test/process/') ? 'process' : 'integration';
  return [
    'node_modules/vitest/vitest.mjs',
    'run',
    name,
    '--project',
    /\/src\//.test(name) ? 'unit' : inProcess,
    // Keeps the transformed modules on disk: a second run of a file takes a third less time.
    '--experimental.fsModuleCache',
  ];
}

if (/\.spec\.ts$|\/test\/process\//.test(file)) build();
const { status } = spawnSync(
  process.execPath,
  [...runnerFor(path.relative(root, path.resolve(file))), ...more],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_ENGINE: engine },
  },
);
process.exit(status ?? 1);
