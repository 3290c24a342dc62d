/** Faults of Postgres and of its network during writes. The process survives all of them. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { runs } from '@lanternrock/testing/property-runs';
import { startProxy, type TcpProxy } from '@lanternrock/testing/tcp-proxy';
import { setUpAdministrator, signInAsAdministrator, type ApiClient } from './api-client.ts';
import { finishWriteLoad, isAlive, startWriteLoad } from './write-load.ts';

describe('Postgres under writes', () => {
  let postgres: PostgresServer;
  let proxy: TcpProxy;
  let instance: Instance;
  let client: ApiClient;
  beforeAll(async () => {
    postgres = await startPostgres();
    proxy = await startProxy(Number(new URL(postgres.databaseUrl).port));
    const url = new URL(postgres.databaseUrl);
    url.port = String(proxy.port);
    instance = await startInstance({
      environment: {
        DATABASE_URL: url.href,
        SECRETS_KEY: randomBytes(32).toString('base64url'),
        STATEMENT_TIMEOUT: '1000',
        DATABASE_WAIT: '2000',
        RATE_LIMITS: 'off',
      },
    });
    await setUpAdministrator(instance);
    client = await signInAsAdministrator(instance);
  });
  afterAll(async () => {
    await instance.stop();
    await proxy.close();
    await postgres.stop();
  });

  const faults: readonly (readonly [string, () => Promise<void>])[] = [
    ['Postgres restarts', () => postgres.restart('SIGINT')],
    ['Postgres crashes', () => postgres.restart('SIGQUIT')],
    ['every connection to Postgres is reset', async () => proxy.reset()],
  ];
  it.each(faults)(
    '%s: loses no acknowledged row, and writes continue',
    { tags: ['REL-07'], timeout: 120_000 },
    async (name, fault) => {
      for (let round = 0; round < runs({ short: 1, long: 10 }); round += 1) {
        const load = startWriteLoad(client, 4);
        await load.next();
        await fault();
        await finishWriteLoad(load, name);
        expect(isAlive(instance)).toBe(true);
      }
    },
  );

  it(
    'the network to Postgres is interrupted: responds with 503 or 504, and recovers afterwards',
    { tags: ['REL-07'] },
    async () => {
      const load = startWriteLoad(client, 4);
      await load.next();
      proxy.stall();
      // Responses arrive although the database sends nothing.
      await expect.poll(() => load.rejected.size, { timeout: 60_000 }).toBeGreaterThan(0);
      expect((await fetch(`${instance.url}/health`)).status).toBe(200);
      expect((await fetch(`${instance.url}/ready`)).status).toBe(503);
      proxy.flow();
      await finishWriteLoad(load, 'the network to Postgres is interrupted');
      expect(isAlive(instance)).toBe(true);
    },
  );
});
