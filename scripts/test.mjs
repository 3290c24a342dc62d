/**
 * `npm test`: installs and builds what is missing, then runs every test: unit tests, tests of the
 * service on both databases, and browser tests. `--long` runs the full number of property test runs, and the
 * browser tests again on pages that a translator and an extension change, with a wrong clock; `--faults`
 * only the fault tests (kills, restarts, full disk, misbehaving clients). The last line is `N passed, N
 * failed, N skipped`.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';
import { playwrightReport, vitestReport } from './test-report.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const long = process.argv.includes('--long');
const faults = process.argv.includes('--faults');
install();
const { build } = await import('./build.mjs');
const { ensureChromium, installSystemPackages } = await import('./install-browser.mjs');
const missing = missingPackages();
if (missing.length > 0) installSystemPackages(missing);
if (!faults) ensureChromium();
build();

/**
 * Returns the Debian packages of the programs that are missing, so that one command installs all of them. PostGIS has the
 * version of Postgres. Where Postgres is not a Debian package, the GeoJSON test reports that PostGIS is missing.
 */
function missingPackages() {
  const postgresRoot = '/usr/lib/postgresql';
  const versions = fs.existsSync(postgresRoot) ? fs.readdirSync(postgresRoot).sort((a, b) => b - a) : [];
  const version = versions.find((candidate) =>
    fs.existsSync(path.join(postgresRoot, candidate, 'bin/initdb')),
  );
  const packages = [];
  if (version !== undefined) {
    if (!fs.existsSync(`/usr/share/postgresql/${version}/extension/postgis.control`))
      packages.push(`postgresql-${version}-postgis-3`);
  } else if (spawnSync('initdb', ['--version']).error) packages.push('postgresql', 'postgresql-postgis');
  if (!fs.existsSync('/usr/sbin/pgbouncer') && spawnSync('pgbouncer', ['--version']).error)
    packages.push('pgbouncer');
  return packages;
}

/**
 * Returns the directory of the test databases: in memory if there is enough space, because they write and
 * sync constantly.
 */
function testDirectory() {
  const memory = '/dev/shm';
  if (!fs.existsSync(memory)) return os.tmpdir();
  const { bavail, bsize } = fs.statfsSync(memory);
  return bavail * bsize > 4 * 2 ** 30 ? memory : os.tmpdir();
}

// A fixed seed, so that a failure means a change. The long run uses another one each day to find new cases.
const seed = process.env.TEST_SEED ?? (long ? String(Math.floor(Date.now() / 86_400_000)) : '20261121');
console.log(`Property tests: ${long ? 'full' : 'reduced'} counts, seed ${seed}.`);
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-reports-'));
const environment = {
  ...process.env,
  TMPDIR: process.env.TMPDIR ?? testDirectory(),
  TEST_SEED: seed,
  TEST_LONG: long ? '1' : '',
};

// Colors make a log file harder to read. The runners read different variables: Playwright sets FORCE_COLOR for its workers,
// and Node.js warns if both are set.
const isLogFile = !process.stdout.isTTY;
const vitestColors = isLogFile ? { NO_COLOR: '1', FORCE_COLOR: undefined } : {};
const playwrightColors = isLogFile ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {};

function run(name, args, env = {}) {
  console.log(`\n== ${name}`);
  const started = Date.now();
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...environment, ...env },
  });
  return { name, status, seconds: Math.round((Date.now() - started) / 1000) };
}

const vitest = (name, env, ...filters) => {
  const file = path.join(reports, 'vitest.json');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const outcome = run(
    name,
    [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...filters, ...reporters],
    { ...vitestColors, ...env },
  );
  return { ...outcome, ...vitestReport(file) };
};

const browser = (name, env = {}) => {
  const file = path.join(reports, 'browser.json');
  const outcome = run(
    name,
    [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=dot,json'],
    { ...playwrightColors, PLAYWRIGHT_JSON_OUTPUT_NAME: file, ...env },
  );
  return { ...outcome, ...playwrightReport(file) };
};

// `postgres-versions.test.ts` installs these programs.
const newestPostgres = path.join(
  root,
  'node_modules/.cache/postgres-versions/node_modules/postgres-18/native/bin',
);

const results = faults
  ? [vitest('faults', {}, 'apps/server/test/process/fault-')]
  : [
      vitest('unit and service', {}),
      browser('browser'),
      // Of `e2e/support/page-conditions.ts`. The walks of the run before are not repeated.
      ...(long && fs.existsSync(newestPostgres)
        ? [
            vitest(
              'newest Postgres',
              { TEST_POSTGRES_BIN: newestPostgres, TEST_LONG: '' },
              '--project=integration',
            ),
          ]
        : []),
      ...(long
        ? [browser('changed pages', { PAGE_CONDITION: 'translated,extension,clock', TEST_LONG: '' })]
        : []),
    ];
fs.rmSync(reports, { recursive: true, force: true });

// Repeated at the end for truncated logs.
for (const { name, failures } of results) {
  for (const { title, message } of failures) console.log(`\n${name}: ${title}\n${message}`);
}
console.log('');
for (const { name, passed, failed, skipped, seconds } of results) {
  console.log(`${name.padEnd(18)} ${passed} passed, ${failed} failed, ${skipped} skipped  (${seconds} s)`);
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
// A runner that fails before it counts tests must not be reported as a success.
const broken = results.filter(
  ({ status, passed, failed }) => (status !== 0 && failed === 0) || passed === 0,
).length;
console.log(`${sum('passed')} passed, ${sum('failed') + broken} failed, ${sum('skipped')} skipped`);
process.exit(results.every(({ status }) => status === 0) && broken === 0 ? 0 : 1);
