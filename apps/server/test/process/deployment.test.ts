/**
 * Tests the examples in `deploy/` as far as possible without a container engine, systemd and Caddy: their paths
 * exist, and nginx runs its example. `package.test.ts` runs the files of the image. No test reads `deploy/Caddyfile`.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { readConfig, settings } from '../../src/config/settings.ts';
import { onServer } from '@lanternrock/testing/engines';
import { freePort } from '@lanternrock/testing/free-port';
import { startPostgres } from '@lanternrock/testing/postgres-server';
import { createCertificate, nginx, startNginx, type ProxyServer } from './proxy-servers.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const example = (name: string): string => fs.readFileSync(path.join(root, 'deploy', name), 'utf8');
const dockerfile = example('Dockerfile');

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-deploy-'));
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

const hasIpv6 = Object.values(os.networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
const analyze = fs.existsSync('/usr/bin/systemd-analyze');
if (!analyze) console.log('Skipped: the check of the systemd unit needs systemd-analyze.');
if (!nginx)
  console.log('Skipped: the nginx example (OPS-04) needs nginx, for example: apt-get install nginx-light');

describe('the deployment examples', () => {
  it('name existing files', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) =>
      files.split(' '),
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const file of copied) expect([file, fs.existsSync(path.join(root, file))]).toEqual([file, true]);
  });

  it('set variables that the service reads', () => {
    const unit = [...example('lanternrock.service').matchAll(/^Environment=(\w+)=/gm)];
    const image = [...(/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').matchAll(/(\w+)=/g)];
    const service = example('compose.yaml').split('postgres:\n    image')[0] ?? '';
    const compose = [...service.matchAll(/^ {6}([A-Z_]+): /gm)];
    const named = [...unit, ...image, ...compose].map((match) => match[1] ?? '');
    expect(named.length).toBeGreaterThan(5);
    // The driver reads PGPASSWORD.
    for (const name of named) expect([...Object.keys(settings.shape), 'PGPASSWORD']).toContain(name);
  });

  it('keep the settings of compose.yaml in a private file, which git and the image ignore', () => {
    const compose = example('compose.yaml');
    expect(compose).toContain('    env_file: .env\n');
    // A value from the environment of the caller would be another one at the next start.
    expect(compose.split('postgres:\n    image')[0]).not.toMatch(/^ +(SECRETS_KEY|SITE_URL|SMTP_URL): /m);
    for (const name of ['.gitignore', '.dockerignore'])
      expect(fs.readFileSync(path.join(root, name), 'utf8').split('\n')).toContain('deploy/.env');
    const command = /^#   (\(umask.*\n)# +(.*)$/m.exec(compose);
    const directory = path.join(scratch, 'settings');
    fs.mkdirSync(path.join(directory, 'deploy'), { recursive: true });
    execFileSync('sh', ['-c', `${command?.[1] ?? ''}${command?.[2] ?? ''}`], { cwd: directory });
    const file = path.join(directory, 'deploy/.env');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const variables = Object.fromEntries(
      fs
        .readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]),
    );
    const config = readConfig(variables);
    expect([config.SITE_URL, Buffer.from(config.SECRETS_KEY, 'base64').length]).toEqual([
      'https://console.example.org',
      32,
    ]);
  });

  it('run without root, without capabilities and on a read-only file system', { tags: ['OPS-20'] }, () => {
    expect(dockerfile).toMatch(/^USER 1000:1000$/m);
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:22\.\d+\.\d+-bookworm-slim@sha256:[\da-f]{64}$/);
    for (const line of ['read_only: true', 'no-new-privileges:true', '- ALL', '127.0.0.1:3000:3000'])
      expect(example('compose.yaml')).toContain(line);
    const unit = example('lanternrock.service');
    for (const line of [
      'User=lanternrock',
      'ProtectSystem=strict',
      'NoNewPrivileges=yes',
      'CapabilityBoundingSet=',
      'UMask=0077',
      // Without a hyphen: systemd starts no service without its settings.
      'EnvironmentFile=/etc/lanternrock.env',
    ])
      expect(unit.split('\n')).toContain(line);
  });

  it.skipIf(!analyze)('have a systemd unit with little attack surface', { tags: ['OPS-20'] }, () => {
    const unit = path.join(root, 'deploy/lanternrock.service');
    // Fails above an exposure level of 2.0 of 10.
    execFileSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit], {
      stdio: 'ignore',
    });
  });
});

it('compose.yaml gives the service a login that is no superuser, with any password', async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.stop);
  const server = new URL(postgres.superuserUrl);
  await onServer(postgres.superuserUrl, 'drop database lanternrock');
  const password = `a/b@c:d'e"f$g h%2F`;
  const initScript = path.join(root, 'deploy/postgres-init.sh');
  expect(example('compose.yaml')).toContain('- ./postgres-init.sh:');
  execFileSync('sh', [initScript], {
    env: {
      PATH: process.env['PATH'],
      PGHOST: server.hostname,
      PGPORT: server.port,
      POSTGRES_USER: 'postgres',
      LANTERNROCK_PASSWORD: password,
    },
    stdio: 'ignore',
  });
  await postgres.demandPassword('lanternrock');
  const databaseUrl = /DATABASE_URL: (\S+)/.exec(example('compose.yaml'))?.[1] ?? '';
  const migrateWith = (PGPASSWORD: string): ReturnType<typeof runCommand> =>
    runCommand(['migrate'], {
      DATABASE_URL: databaseUrl.replace('postgres:5432', server.host),
      PGPASSWORD,
      SECRETS_KEY: randomBytes(32).toString('base64url'),
      DATA_DIR: path.join(scratch, 'compose'),
    });
  expect((await migrateWith('wrong')).output).toContain('password authentication failed');
  const migrated = await migrateWith(password);
  expect([migrated.code, migrated.output]).toEqual([0, expect.not.stringContaining('superuser')]);
});

describe.skipIf(!nginx)('the nginx example', () => {
  let instance: Instance;
  let proxy: ProxyServer;
  let [plain, secure] = [0, 0];
  beforeAll(async () => {
    [plain, secure] = [await freePort(), await freePort()];
    instance = await startInstance({
      environment: {
        SITE_URL: `https://localhost:${secure}`,
        TRUSTED_PROXIES: '127.0.0.1',
        LOG_LEVEL: 'debug',
      },
    });
    const { certificate, key } = createCertificate(scratch);
    const changes: readonly (readonly [string, string])[] = [
      ['127.0.0.1:3000', new URL(instance.url).host],
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen [::]:80;', hasIpv6 ? `listen [::1]:${plain};` : ''],
      ['listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`],
      ['listen [::]:443 ssl;', hasIpv6 ? `listen [::1]:${secure} ssl;` : ''],
      ['/etc/letsencrypt/live/console.example.org/fullchain.pem', certificate],
      ['/etc/letsencrypt/live/console.example.org/privkey.pem', key],
    ];
    const site = changes.reduce((text, [from, to]) => text.replace(from, to), example('nginx.conf'));
    proxy = await startNginx(site);
    const requireReady = async (): Promise<void> => {
      const { statusCode } = await requestThroughProxy('/ready');
      if (statusCode !== 200) throw new Error(`/ready responded with ${statusCode}`);
    };
    await vi.waitFor(requireReady, { timeout: 60_000 });
  });
  afterAll(async () => {
    await proxy.stop();
    await instance.stop();
  });

  const requestThroughProxy = async (
    pathname: string,
    clientIp = '127.0.0.1',
    headers: Record<string, string> = {},
  ): Promise<http.IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = https.get(
        {
          port: secure,
          host: clientIp === '::1' ? '::1' : '127.0.0.1',
          localAddress: clientIp,
          path: pathname,
          headers: { Host: `localhost:${secure}`, ...headers },
          rejectUnauthorized: false,
        },
        (response) => resolve(response.resume()),
      );
      request.on('error', reject);
    });

  it('terminates TLS and keeps the mailbox local', async () => {
    if (hasIpv6) expect((await requestThroughProxy('/ready', '::1')).statusCode).toBe(200);
    const page = await requestThroughProxy('/auth');
    expect(page.headers['strict-transport-security']).toContain('max-age=63072000');
    expect(page.headers['content-security-policy']).toContain('upgrade-insecure-requests');
    expect(page.headers['server']).toBe('nginx');
    // A request that the service takes for a local one gets 403.
    expect((await requestThroughProxy('/mailbox')).statusCode).toBe(404);
  });

  it(
    'forwards the client IP address, ignoring forwarded headers of the client',
    { tags: ['OPS-04'] },
    async () => {
      // Not the address of nginx, which the service logs without the header. The second one is that of macOS.
      const clientIp = process.platform === 'linux' ? '127.0.0.2' : '::1';
      await requestThroughProxy('/rest/v1/accounts', clientIp, { 'X-Forwarded-For': '203.0.113.9' });
      const line = (): string =>
        instance
          .log()
          .split('\n')
          .find((text) => text.includes('"path":"/rest/v1/accounts"')) ?? '{}';
      // The log is written asynchronously to the response.
      await expect.poll(() => JSON.parse(line()) as object).toMatchObject({ clientIp, status: 401 });
    },
  );

  it.each<[string, tls.ConnectionOptions, RegExp]>([
    [
      'TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      /PROTOCOL_VERSION/,
    ],
    [
      'a cipher without forward secrecy',
      { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' },
      /HANDSHAKE_FAILURE/,
    ],
  ])('rejects %s', { tags: ['OPS-17'] }, async (_name, options, code) => {
    const result = await new Promise<string>((resolve) => {
      const socket = tls.connect({ port: secure, host: '127.0.0.1', rejectUnauthorized: false, ...options });
      socket
        .on('secureConnect', () => resolve('connected'))
        .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });
    expect(result).toMatch(code);
  });

  it('redirects HTTP to HTTPS', async () => {
    const redirect = await fetch(`http://127.0.0.1:${plain}/auth`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([
      301,
      expect.stringMatching(/^https:/),
    ]);
  });
});
