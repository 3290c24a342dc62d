/** The tarball of `npm run package`: its content, an installation without a network, and a run as another user. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { AuthClient } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { fromRoot } from '@lanternrock/testing/paths';
import { freePort } from '@lanternrock/testing/free-port';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startInstance } from '../../../../e2e/support/instance.ts';
import { version } from '../../src/version.ts';
import { listFiles } from '../support/documents.ts';
import { administrator, readAnonKey, setUpAdministrator } from './api-client.ts';

const root = fromRoot('.');
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-package-'));
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

const out = path.join(scratch, 'out');
const base = `lanternrock-${version}`;
const tarball = path.join(out, `${base}.tgz`);
const app = path.join(scratch, 'app');

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.log('Skipped: the tarball under another user (OPS-20) needs root to become that user.');

/** Builds a package; `--out` is relative to the directory in which the command was typed. */
function buildPackage(directory: string, output: string, environment: Record<string, string> = {}): void {
  execFileSync(
    'sh',
    [
      '-c',
      'umask "$0" && exec "$@"',
      environment['UMASK'] ?? '022',
      process.execPath,
      'scripts/package.mjs',
      '--out',
      output,
    ],
    {
      cwd: directory,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: os.tmpdir(), ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
}

beforeAll(() => {
  buildPackage(root, out);
  fs.mkdirSync(app);
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '--no-same-owner', '-C', app]);
});

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
}

describe('the tarball', () => {
  it('contains the program and the packages with files, but no tests, sources and secrets', () => {
    const files = fs
      .readdirSync(app, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(app, path.join(entry.parentPath, entry.name)));
    expect(files.length).toBeLessThan(1500);
    expect(files).toEqual(
      expect.arrayContaining([
        'apps/server/dist/lanternrock.js',
        'apps/console/dist/index.html',
        'deploy/lanternrock.service',
        'docs/operations.md',
        'LICENSE',
      ]),
    );
    const directories = fs.readdirSync(path.join(app, 'node_modules'), { recursive: true }).map(String);
    const packages = directories.filter((name) => /^@[^/]+\/[^/]+\/package\.json$/.test(name));
    expect(packages).toEqual(
      expect.arrayContaining(
        [
          'electric-sql/pglite',
          'node-rs/argon2',
          'node-rs/argon2-linux-arm64-musl',
          'node-rs/argon2-darwin-arm64',
        ].map((name) => `@${name}/package.json`),
      ),
    );
    expect(packages).toHaveLength(15);
    expect(files.filter((name) => /(^|\/)\.|\.(map|tsx?)$|\.test\.|testing/.test(name))).toEqual([]);
    const code = files.filter((name) => /^apps\/.*\.(m?js|html|css)$/.test(name));
    // Paths of the machine of the build.
    for (const name of code)
      expect([name, fs.readFileSync(path.join(app, name), 'utf8').includes(root)]).toEqual([name, false]);
  });

  it('has a valid SBOM, the license of each component, and checksums', { tags: ['OPS-19'] }, async () => {
    const text = fs.readFileSync(path.join(out, `${base}.cdx.json`), 'utf8');
    expect(fs.readFileSync(path.join(app, 'sbom.cdx.json'), 'utf8')).toBe(text);
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    const { components } = JSON.parse(text) as { components: Component[] };
    const names = components.map(
      ({ group, name, version: release }) => `${group ? `${group}/` : ''}${name} ${release}`,
    );
    const licenses = fs
      .readFileSync(path.join(app, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
      .split('\n\n')[1]
      ?.split('\n');
    const listed = (licenses ?? []).map((line) => line.split(', ')[0] ?? '');
    expect(listed.filter((name) => name !== 'Public Sans').toSorted()).toEqual(names.toSorted());
    expect(names.length).toBeGreaterThan(100);
    for (const [name] of [['hono'], ['react'], ['@node-rs/argon2-darwin-arm64']])
      expect(names.some((each) => each.startsWith(`${name} `))).toBe(true);
    expect(names.some((name) => /^(vitest|typescript|vite|ajv) /.test(name))).toBe(false);
    const sums = execFileSync('sha256sum', ['--check', `${base}.sha256`], { cwd: out, encoding: 'utf8' });
    expect(sums).toBe(`${base}.tgz: OK\n${base}.cdx.json: OK\n`);
  });

  it('lists every package whose code is in the bundles of the service', { tags: ['OPS-19'] }, () => {
    const licenses = fs.readFileSync(path.join(app, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    // The tarball has no source maps; those of the build have the same sources.
    const map = fs.readFileSync(fromRoot('apps/server/dist/lanternrock.js.map'), 'utf8');
    const { sources } = JSON.parse(map) as { sources: string[] };
    const names = new Set(
      sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []),
    );
    expect(names.size).toBeGreaterThan(50);
    for (const name of names) expect(licenses).toContain(`\n${name} `);
  });

  it('is equal byte for byte in a second build, in another directory and with another umask', () => {
    // Beside the packages, because hard links do not cross file systems.
    fs.mkdirSync(path.join(root, '.data'), { recursive: true });
    const copy = fs.mkdtempSync(path.join(root, '.data/package-'));
    onTestFinished(() => fs.rmSync(copy, { recursive: true, force: true }));
    for (const name of listFiles('*').filter((file) => !/^(e2e|bench)\//.test(file))) {
      fs.mkdirSync(path.dirname(path.join(copy, name)), { recursive: true });
      fs.copyFileSync(path.join(root, name), path.join(copy, name));
    }
    for (const name of ['.', 'apps/server', 'apps/console'])
      linkDirectory(path.join(root, name, 'node_modules'), path.join(copy, name, 'node_modules'));
    const binaries = 'node_modules/.cache/platform-binaries';
    linkDirectory(path.join(root, binaries), path.join(copy, binaries));
    const second = path.join(scratch, 'second');
    buildPackage(copy, second, { UMASK: '077', TZ: 'Asia/Kathmandu', LC_ALL: 'C' });
    for (const name of fs.readdirSync(out))
      expect([
        name,
        fs.readFileSync(path.join(second, name)).equals(fs.readFileSync(path.join(out, name))),
      ]).toEqual([name, true]);
  });
});

/** Copies a directory with hard links, without the caches of tools. */
function linkDirectory(from: string, to: string): void {
  if (!fs.existsSync(from)) return;
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      if (!['.cache', '.vite', '.vite-temp'].includes(entry.name)) linkDirectory(source, target);
    } else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target);
    else fs.linkSync(source, target);
  }
}

it('installs without a network, starts in an empty directory, and serves the published clients', async () => {
  const folder = path.join(scratch, 'folder');
  fs.mkdirSync(folder);
  const cache = path.join(scratch, 'npm-cache');
  execFileSync(
    'npm',
    [
      'install',
      '--offline',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel',
      'error',
      tarball,
    ],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: scratch, npm_config_cache: cache },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  // As npx does it.
  const entry = path.join(folder, 'node_modules/.bin/lanternrock');
  expect(execFileSync(entry, ['--version'], { encoding: 'utf8' })).toBe(`lanternrock ${version}\n`);
  const instance = await startInstance({ entry, dataDir: path.join(folder, '.data'), fromNothing: true });
  onTestFinished(instance.stop);
  await setUpAdministrator(instance);
  const apikey = await readAnonKey(instance);
  const auth = new AuthClient({
    url: `${instance.url}/auth/v1`,
    headers: { apikey, Authorization: `Bearer ${apikey}` },
    autoRefreshToken: false,
    persistSession: false,
  });
  const { data: signedIn, error } = await auth.signInWithPassword(administrator);
  expect(error).toBeNull();
  const headers = { apikey, Authorization: `Bearer ${signedIn.session?.access_token ?? ''}` };
  const accounts = new PostgrestClient(`${instance.url}/rest/v1`, { headers }).from('accounts');
  expect(await accounts.select('name')).toMatchObject({ error: null, data: [] });
  const status = await instance.command('status');
  expect(status.output).toContain(`version          ${version}\n`);
  expect(status.output).toContain(`service          running, process ${instance.pid}\n`);
  expect(await instance.kill('SIGTERM')).toBe(0);
  const started = instance
    .log()
    .split('\n')
    .find((line) => line.includes('"msg":"started"'));
  expect(JSON.parse(started ?? '{}')).toMatchObject({ version, node: process.versions.node });
});

describe.skipIf(!isRoot)('the content of the tarball', () => {
  it('runs under a user who can write only the data directory', { tags: ['OPS-20', 'OPS-01'] }, async () => {
    const data = path.join(scratch, 'data');
    fs.chmodSync(scratch, 0o755);
    fs.mkdirSync(data);
    const template = process.env['INSTANCE_TEMPLATE'];
    if (template !== undefined) fs.cpSync(template, path.join(data, 'database'), { recursive: true });
    execFileSync('chown', ['-R', '65534:65534', data]);
    const port = String(await freePort());
    const environment = { PATH: process.env['PATH'], DATA_DIR: data, PORT: port, HOME: '/nonexistent' };
    const as = ['--reuid=65534', '--regid=65534', '--clear-groups', '--bounding-set=-all', '--no-new-privs'];
    const program = path.join(app, 'apps/server/bin/lanternrock.mjs');
    // With umask 0, so that the file modes come from the service.
    const service = spawn('setpriv', [...as, 'sh', '-c', 'umask 000; exec "$@"', 'sh', program, 'start'], {
      cwd: app,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(service, 'exit');
    onTestFinished(() => void service.kill('SIGKILL'));
    await new Promise<void>((resolve, reject) => {
      service.stdout.on('data', (text: Buffer) => text.includes('listening') && resolve());
      service.once('exit', () => reject(new Error('The service exited')));
    });
    // The health check of the image. Node.js runs an empty script without an error.
    const dockerfile = fs.readFileSync(path.join(app, 'deploy/Dockerfile'), 'utf8');
    const check = /CMD \["node", "-e", "(.*)"\]$/m.exec(dockerfile)?.[1] ?? '';
    expect(check).toContain('process.env.PORT');
    execFileSync('setpriv', [...as, process.execPath, '-e', check], { env: environment });
    const status = fs.readFileSync(`/proc/${service.pid ?? 0}/status`, 'utf8');
    expect(/^Uid:\s+65534\s+65534/m.test(status) && /^CapEff:\s+0+$/m.test(status)).toBe(true);
    for (const file of fs.readdirSync(data, { recursive: true, withFileTypes: true })) {
      const mode = fs.statSync(path.join(file.parentPath, file.name)).mode;
      // The database directory itself is closed to others.
      if (!file.parentPath.includes('database')) expect([file.name, mode & 0o077]).toEqual([file.name, 0]);
    }
    service.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
