/** Failover of Postgres during writes: the server becomes read-only, or its host name leads to a standby. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { onServer } from '@lanternrock/testing/engines';
import { startPostgres, type PostgresServer, type Standby } from '@lanternrock/testing/postgres-server';
import { runs } from '@lanternrock/testing/property-runs';
import { startProxy, type TcpProxy } from '@lanternrock/testing/tcp-proxy';
import {
  accountRow,
  administrator,
  readAnonKey,
  setUpAdministrator,
  signInAsAdministrator,
  type ApiClient,
} from './api-client.ts';
import { isAlive, reportFault, startWriteLoad } from './write-load.ts';

describe.each(Array.from({ length: runs({ short: 1, long: 5 }) }, (_, round) => round))('failover %i', () => {
  let primary: PostgresServer;
  let standby: Standby;
  let proxy: TcpProxy;
  let instance: Instance;
  let client: ApiClient;
  let apikey: string;
  beforeAll(async () => {
    primary = await startPostgres();
    proxy = await startProxy(Number(new URL(primary.databaseUrl).port));
    const url = new URL(primary.databaseUrl);
    url.port = String(proxy.port);
    instance = await startInstance({
      environment: {
        DATABASE_URL: url.href,
        SECRETS_KEY: randomBytes(32).toString('base64url'),
        STATEMENT_TIMEOUT: '1000',
        DATABASE_WAIT: '2000',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'info',
      },
    });
    await setUpAdministrator(instance);
    client = await signInAsAdministrator(instance);
    apikey = await readAnonKey(instance);
    standby = await primary.startStandby();
  });
  afterAll(async () => {
    await instance.stop();
    await proxy.close();
    await standby.stop();
    await primary.stop();
  });

  const readReadiness = async (): Promise<[number, unknown]> => {
    const response = await fetch(`${instance.url}/ready`);
    return [response.status, await response.json()];
  };
  const countLogLines = (text: string): number => instance.log().split(text).length - 1;

  const endSessionsSql = `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'lanternrock'`;

  /** Makes new connections read-only, by a default of the database or of the role. */
  const readOnlyDefault = (name: string, owner: () => string) => ({
    name,
    begin: async () => {
      await onServer(primary.superuserUrl, `alter ${owner()} set default_transaction_read_only = on`);
      await onServer(primary.superuserUrl, endSessionsSql);
    },
    end: () => onServer(primary.superuserUrl, `alter ${owner()} reset default_transaction_read_only`),
  });
  const faults = [
    readOnlyDefault('read-only primary, new connections', () => 'database lanternrock'),
    readOnlyDefault('read-only role, new connections', () => `role ${new URL(primary.databaseUrl).username}`),
    {
      name: 'read-only server, its connections stay',
      begin: async () => {
        await onServer(primary.superuserUrl, 'alter system set default_transaction_read_only = on');
        await onServer(primary.superuserUrl, 'select pg_reload_conf()');
      },
      end: async () => {
        await onServer(primary.superuserUrl, 'alter system reset default_transaction_read_only');
        await onServer(primary.superuserUrl, 'select pg_reload_conf()');
      },
    },
    {
      // Last, because the primary stays stalled. Open connections are stalled and not reset, as by a frozen host.
      name: 'primary does not respond, and its host name leads to a standby, which is then promoted',
      begin: async () => {
        proxy.moveTo(standby.port);
        proxy.stallOpen();
      },
      end: async () => standby.promote(),
    },
  ];
  it.each(faults)(
    '$name: writes get 503, /ready reports it, no acknowledged row is lost, and writes recover',
    { tags: ['REL-07'], timeout: 120_000 },
    async ({ name, begin, end }) => {
      const earlierLines = countLogLines('the database refuses writes');
      const load = startWriteLoad(client, 4);
      await load.next();
      await begin();
      await expect
        .poll(readReadiness, { timeout: 30_000 })
        .toEqual([503, { status: 'the database is read-only' }]);
      const invitation = { email: 'new@example.com', full_name: 'New Administrator' };
      for (const [path, body] of [
        ['/auth/v1/token?grant_type=password', administrator],
        ['/functions/v1/send-user-invitation', invitation],
        ['/rest/v1/accounts', accountRow(client, 'Refused')],
      ] as const) {
        const response = await client.call(path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', apikey },
          body: JSON.stringify(body),
        });
        expect([path, response.status, response.headers.get('Retry-After')]).toEqual([path, 503, '1']);
      }
      // Longer than the interval of the write check, so that the log line could be repeated.
      await sleep(1500);
      await end();
      const faultEndMs = performance.now();
      await load.next();
      const recoveryMs = performance.now() - faultEndMs;
      await expect.poll(readReadiness).toEqual([200, { status: 'ready' }]);
      // The service checks on a new connection once a second. Until then an idle connection can have the old default.
      await expect.poll(() => countLogLines('the database accepts writes again')).toBe(earlierLines + 1);
      // A write that began before can still be rejected.
      for (let count = 0; count < 10; count += 1) await load.next();
      const rejected = new Map(load.rejected);
      for (let count = 0; count < 40; count += 1) await load.next();
      expect(new Map(load.rejected)).toEqual(rejected);
      await load.stop();
      const lost = await load.lost();
      reportFault(name, load, lost, recoveryMs);
      expect(lost).toEqual([]);
      expect([...load.rejected.keys()].filter((status) => status !== '503' && status !== '504')).toEqual([]);
      expect(countLogLines('the database refuses writes')).toBe(earlierLines + 1);
      expect(isAlive(instance)).toBe(true);
    },
  );
});

describe.each(Array.from({ length: runs({ short: 1, long: 5 }) }, (_, round) => round))(
  'failover with two hosts %i',
  () => {
    it.each([
      { name: 'the primary does not respond', fail: (proxy: TcpProxy) => proxy.stall() },
      { name: 'the primary refuses connections', fail: (proxy: TcpProxy) => proxy.refuse() },
    ])(
      '$name: no acknowledged row is lost, and writes recover on the standby',
      { tags: ['REL-07'], timeout: 120_000 },
      async ({ name, fail }) => {
        const primary = await startPostgres();
        onTestFinished(() => primary.stop());
        const standby = await primary.startStandby();
        onTestFinished(() => standby.stop());
        const url = new URL(primary.databaseUrl);
        const proxy = await startProxy(Number(url.port));
        onTestFinished(() => proxy.close());
        const hosts = `127.0.0.1:${proxy.port},127.0.0.1:${standby.port}`;
        const instance = await startInstance({
          environment: {
            DATABASE_URL: url.href.replace(url.host, hosts),
            SECRETS_KEY: randomBytes(32).toString('base64url'),
            STATEMENT_TIMEOUT: '1000',
            DATABASE_WAIT: '2000',
            RATE_LIMITS: 'off',
          },
        });
        onTestFinished(() => instance.stop());
        await setUpAdministrator(instance);
        const client = await signInAsAdministrator(instance);
        const load = startWriteLoad(client, 4);
        await load.next();
        fail(proxy);
        standby.promote();
        const faultEndMs = performance.now();
        await load.next();
        const recoveryMs = performance.now() - faultEndMs;
        for (let count = 0; count < 50; count += 1) await load.next();
        await load.stop();
        const lost = await load.lost();
        reportFault(`two hosts, ${name}`, load, lost, recoveryMs);
        expect(lost).toEqual([]);
        expect([...load.rejected.keys()].filter((status) => status !== '503' && status !== '504')).toEqual(
          [],
        );
        const ready = await fetch(`${instance.url}/ready`);
        expect(ready.status).toBe(200);
        expect(isAlive(instance)).toBe(true);
      },
    );
  },
);
