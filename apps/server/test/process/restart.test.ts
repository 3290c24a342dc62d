/** Restarts of the service under load: alone, and as one of two replicas behind a proxy. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@lanternrock/testing/free-port';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { runs } from '@lanternrock/testing/property-runs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { setUpAdministrator, signInAsAdministrator, storedIds, type ApiClient } from './api-client.ts';
import { createCertificate, haproxy, nginx, startHaproxy, startNginx } from './proxy-servers.ts';
import { isReady, startSteadyClients } from './steady-clients.ts';

if (!nginx) console.log('Skipped: restarts behind nginx, for example: apt-get install nginx-light');
if (!haproxy) console.log('Skipped: restarts behind HAProxy, for example: apt-get install haproxy');

const restarts = runs({ short: 2, long: 20 });
vi.setConfig({ testTimeout: restarts * 90_000 });

let postgres: PostgresServer;
let secretsKey: string;
let directory: string;
let ports: readonly [number, number];
let restarted: Instance;
let other: Instance;
let client: ApiClient;

beforeAll(async () => {
  postgres = await startPostgres();
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-restart-'));
  ports = [await freePort(), await freePort()];
  secretsKey = randomBytes(32).toString('base64url');
  restarted = await startReplica(0);
  await setUpAdministrator(restarted);
  client = await signInAsAdministrator(restarted);
  other = await startReplica(1);
});
afterAll(async () => {
  await Promise.all([restarted.stop(), other.stop()]);
  await postgres.stop();
  fs.rmSync(directory, { recursive: true, force: true });
});

const startReplica = (index: 0 | 1): Promise<Instance> =>
  startInstance({
    dataDir: path.join(directory, String(index)),
    environment: {
      DATABASE_URL: postgres.databaseUrl,
      SECRETS_KEY: secretsKey,
      PORT: String(ports[index]),
      SITE_URL: 'http://localhost:3000',
      RATE_LIMITS: 'off',
    },
  });

/** Restarts the first replica again and again while clients send requests to the URL. */
async function expectNothingLost(
  name: string,
  url: string,
  expected: { readonly isRefusalExpected: boolean; readonly isCloseExpected?: boolean },
): Promise<void> {
  const startedAt = performance.now();
  await expect.poll(() => isReady({ url, client })).toBe(true);
  const clients = startSteadyClients({ url, client, ...expected });
  onTestFinished(clients.stop);
  const rowsAfter = (count: number): Promise<void> =>
    expect.poll(() => clients.acknowledged.length + clients.failures.length).toBeGreaterThan(count);
  await rowsAfter(50);
  let longestMs = 0;
  for (let run = 0; run < restarts; run += 1) {
    const stoppedAt = performance.now();
    await restarted.kill('SIGTERM');
    restarted = await startReplica(0);
    longestMs = Math.max(longestMs, performance.now() - stoppedAt);
    await rowsAfter(clients.acknowledged.length + clients.failures.length + 50);
  }
  await clients.stop();
  const stored = new Set(await storedIds(client));
  const lost = clients.acknowledged.filter((id) => !stored.has(id));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const counts = [
    restarts,
    clients.acknowledged.length,
    clients.reads(),
    lost.length,
    clients.failures.length,
  ];
  console.log(
    `| ${name} | ${[...counts, seconds].join(' | ')} | longest restart ${Math.round(longestMs)} ms |`,
  );
  // Thousands of equal failures hide the others.
  expect([[...new Set(clients.failures)], lost]).toEqual([[], []]);
  expect(clients.closed()).toBeLessThanOrEqual(restarts);
}

it('loses no request of clients that connect to the restarted service', { tags: ['REL-18'] }, () =>
  expectNothingLost('no proxy', restarted.url, { isRefusalExpected: true }),
);

describe.skipIf(!nginx)('behind nginx', () => {
  it('fails no request with the default settings', async () => {
    const port = await freePort();
    const servers = ports.map((replica) => `server 127.0.0.1:${replica};`).join(' ');
    const proxy = await startNginx(
      `upstream replicas { ${servers} }
server { listen 127.0.0.1:${port}; location / { proxy_pass http://replicas; } }`,
    );
    onTestFinished(proxy.stop);
    await expectNothingLost('nginx', `http://127.0.0.1:${port}`, { isRefusalExpected: false });
  });

  it('fails no request with the example', async () => {
    const [plain, secure] = [await freePort(), await freePort()];
    const { certificate, key } = createCertificate(directory);
    const changes: readonly (readonly [string, string])[] = [
      ['127.0.0.1:3000', `127.0.0.1:${ports[0]}`],
      ['# server 127.0.0.1:3001', `server 127.0.0.1:${ports[1]}`],
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen [::]:80;', ''],
      ['listen 443 ssl;', `listen 127.0.0.1:${secure} ssl;`],
      ['listen [::]:443 ssl;', ''],
      ['/etc/letsencrypt/live/console.example.org/fullchain.pem', certificate],
      ['/etc/letsencrypt/live/console.example.org/privkey.pem', key],
    ];
    const example = fs.readFileSync(new URL('../../../../deploy/nginx.conf', import.meta.url), 'utf8');
    const proxy = await startNginx(changes.reduce((text, [from, to]) => text.replace(from, to), example));
    onTestFinished(proxy.stop);
    await expectNothingLost('deploy/nginx.conf', `https://127.0.0.1:${secure}`, { isRefusalExpected: false });
  });
});

describe.skipIf(!haproxy)('behind HAProxy', () => {
  it.each(['option httpchk', 'option httpchk GET /ready'].slice(0, runs({ short: 1, long: 2 })))(
    'fails no request with %s',
    async (check) => {
      const port = await freePort();
      const servers = ports.map((replica, index) => `  server replica${index} 127.0.0.1:${replica} check`);
      const proxy = await startHaproxy(
        `defaults
  mode http
  timeout connect 5s
  timeout client 50s
  timeout server 50s
  # The default of 3 attempts, one second apart, needs a start within 3 s, which a busy machine does not achieve.
  retries 20
frontend public
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  ${check}
${servers.join('\n')}
`,
      );
      onTestFinished(proxy.stop);
      // If the service closes an idle connection while HAProxy sends a request on it, HAProxy closes that of the client
      // without a response, because a client sends a request on a used connection again.
      await expectNothingLost(`HAProxy, ${check}`, `http://127.0.0.1:${port}`, {
        isRefusalExpected: false,
        isCloseExpected: true,
      });
    },
  );
});
