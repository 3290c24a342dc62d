/** `npm run generate -- NAME`: writes generated files of the repository. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const vitest = 'node_modules/vitest/vitest.mjs';
const generators = {
  requirements: ['scripts/requirement-tests.mjs'],
  schema: [vitest, 'run', '--project', 'integration', 'apps/server/test/schema-dump.test.ts'],
  configuration: [vitest, 'run', '--project', 'unit', 'apps/server/src/config/settings.test.ts'],
  screenshots: ['scripts/screenshots.mjs'],
};

const name = process.argv[2] ?? '';
if (!Object.hasOwn(generators, name)) {
  console.error(`Usage: npm run generate -- ${Object.keys(generators).join('|')}`);
  process.exit(2);
}
const { status } = spawnSync(process.execPath, generators[name], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  // The tests that compare a generated file write it instead.
  env: { ...process.env, GENERATE: '1' },
});
process.exit(status ?? 1);
