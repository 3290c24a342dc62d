/** Features of an external Postgres: schema cache reload on NOTIFY, and cancellation of reads after a disconnect. */
import type { AddressInfo } from 'node:net';
import { serve, type ServerType } from '@hono/node-server';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { openExternal } from '@lanternrock/postgres/external';
import { sql } from '@lanternrock/postgres';
import { startPooler } from './support/pooler.ts';
import { startTestService, type TestService } from './support/test-service.ts';

let service: TestService;
let server: ServerType;
let base: string;
const logged: string[] = [];
beforeAll(async () => {
  // Much longer than the tests wait, so a statement that ends was canceled.
  service = await startTestService('postgres', {
    settings: { STATEMENT_TIMEOUT: '120000' },
    onLog: (line) => logged.push(line),
  });
  server = serve({ fetch: service.service.app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/v1`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await service.close();
});

const runScript = (text: string): Promise<void> =>
  service.database.maintenance((tx) => service.database.script(tx, text));
const headers = (): Record<string, string> => ({ apikey: service.serviceRoleKey });
const pollOptions = { timeout: 30_000, interval: 50 };

it('reloads the schema cache on NOTIFY', async () => {
  await runScript(`create function public.one(a integer) returns integer language sql stable as 'select 1';
    grant execute on function public.one(integer) to service_role;
    notify pgrst, 'reload schema'`);
  const requestStatus = async (): Promise<number> =>
    (await fetch(`${base}/rpc/one?a=1`, { headers: headers() })).status;
  await vi.waitUntil(async () => (await requestStatus()) === 200, pollOptions);
  // An overload of a known function: no name is missing, so only the notification causes a reload.
  await runScript(`create function public.one(a text) returns integer language sql stable as 'select 2';
    grant execute on function public.one(text) to service_role`);
  expect(await requestStatus()).toBe(200);
  await runScript('notify pgrst');
  await vi.waitUntil(async () => (await requestStatus()) === 300, pollOptions);
});

it(
  'cancels a read after a disconnect and reuses its connection',
  { tags: ['REST-25'], timeout: 60_000 },
  async () => {
    await runScript(`create function public.wait(seconds integer) returns text language sql stable as 'select pg_sleep(seconds)::text';
    grant execute on function public.wait(integer) to service_role;
    notify pgrst`);
    await vi.waitUntil(
      async () => (await fetch(`${base}/rpc/wait?seconds=0`, { headers: headers() })).ok,
      pollOptions,
    );
    const running = async (): Promise<number> => {
      const [row] = await service.database.query<{ running: number }>(
        sql`select count(*)::int as running from pg_stat_activity
          where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`,
      );
      return row?.running ?? 0;
    };
    for (let round = 0; round < 20; round += 1) {
      const controller = new AbortController();
      const responses = Array.from({ length: 5 }, () =>
        fetch(`${base}/rpc/wait?seconds=60`, { headers: headers(), signal: controller.signal }),
      );
      await vi.waitUntil(async () => (await running()) === 5, pollOptions);
      controller.abort();
      for (const result of await Promise.allSettled(responses)) expect(result.status).toBe('rejected');
      await vi.waitUntil(async () => (await running()) === 0, pollOptions);
    }
    expect((await fetch(`${base}/profiles?limit=1`, { headers: headers() })).status).toBe(200);
    // An intentional cancellation is not logged as an error.
    expect(logged.filter((line) => line.includes('"status":500'))).toEqual([]);
  },
);

it(
  'cancels only the statement of the disconnected client behind a pooler',
  { tags: ['REST-25'] },
  async () => {
    const url = new URL(inject('postgres').ownerUrl);
    const sleep = [{ text: 'select pg_sleep(60)', values: [] }];
    const sleeping = async (): Promise<number[]> =>
      (
        await service.database.query<{ pid: number }>(
          sql`select pid from pg_stat_activity where query = 'select pg_sleep(60)' and wait_event = 'PgSleep'`,
        )
      ).map(({ pid }) => pid);
    const options = { poolSize: 1, connectionTimeoutMs: 10_000, onConnectionError: () => {} };
    const otherDatabase = await openExternal({ ...options, url: url.href });
    const otherRead = otherDatabase.batch(sleep).catch((error: unknown) => error);
    await vi.waitUntil(async () => (await sleeping()).length === 1, pollOptions);
    const [pid = 0] = await sleeping();
    // The pooler returns a process ID that is also the real process ID of a different client's connection.
    const pooler = await startPooler(Number(url.port), pid);
    url.port = String(pooler.port);
    const pooled = await openExternal({ ...options, url: url.href });
    let disconnect = (): void => {};
    const canceledRead = pooled.batch(sleep, {
      onClientAbort: (listener) => {
        disconnect = listener;
        return () => {};
      },
    });
    await vi.waitUntil(async () => (await sleeping()).length === 2, pollOptions);
    disconnect();
    await expect(canceledRead).rejects.toMatchObject({ code: '57014' });
    expect(pooler.canceled()).toBe(1);
    expect(await sleeping()).toEqual([pid]);
    await service.database.query(sql`select pg_terminate_backend(${pid})`);
    await otherRead;
    await Promise.all([pooled.close(), otherDatabase.close()]);
    await pooler.close();
  },
);

it(
  'runs no statement for an invalid token, except the periodic reload of keys',
  { tags: ['REST-28'] },
  async () => {
    const startedAt = performance.now();
    const [batches, transactions] = (['batch', 'transaction'] as const).map((name) =>
      vi.spyOn(service.database, name),
    );
    const forged = ['abc', 'a.b.c', `${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role"}')}.`];
    const responses = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const Authorization = `Bearer ${forged[index % forged.length]}`;
        const { status, headers: responseHeaders } = await fetch(`${base}/accounts`, {
          headers: { Authorization },
        });
        return [status, responseHeaders.get('www-authenticate')?.startsWith('Bearer')];
      }),
    );
    expect(responses.every(([status, named]) => status === 401 && named === true)).toBe(true);
    const intervals = Math.floor((performance.now() - startedAt) / 5000);
    expect(batches?.mock.calls).toEqual([]);
    expect(transactions?.mock.calls.length).toBeLessThanOrEqual(1 + intervals);
    vi.restoreAllMocks();
  },
);
