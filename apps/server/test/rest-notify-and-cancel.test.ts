/** What only a Postgres of its own can do: tell that its tables changed, and stop what nobody waits for. */
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
  // Far beyond what the tests wait: a statement that ends was cancelled.
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

const script = (text: string): Promise<void> =>
  service.database.maintenance((tx) => service.database.script(tx, text));
const headers = (): Record<string, string> => ({ apikey: service.serviceRoleKey });
const waiting = { timeout: 30_000, interval: 50 };

it('reads the catalog again when it is told to', async () => {
  await script(`create function public.one(a integer) returns integer language sql stable as 'select 1';
    grant execute on function public.one(integer) to service_role;
    notify pgrst, 'reload schema'`);
  const one = async (): Promise<number> =>
    (await fetch(`${base}/rpc/one?a=1`, { headers: headers() })).status;
  await vi.waitUntil(async () => (await one()) === 200, waiting);
  // A function beside the one that is known: no name is missing, so only the notification tells.
  await script(`create function public.one(a text) returns integer language sql stable as 'select 2';
    grant execute on function public.one(text) to service_role`);
  expect(await one()).toBe(200);
  await script('notify pgrst');
  await vi.waitUntil(async () => (await one()) === 300, waiting);
});

it('REST-25 a read whose caller is gone is cancelled, and the connections serve others', async () => {
  await script(`create function public.wait(seconds integer) returns text language sql stable as 'select pg_sleep(seconds)::text';
    grant execute on function public.wait(integer) to service_role;
    notify pgrst`);
  await vi.waitUntil(
    async () => (await fetch(`${base}/rpc/wait?seconds=0`, { headers: headers() })).ok,
    waiting,
  );
  const running = async (): Promise<number> => {
    const [row] = await service.database.query<{ running: number }>(
      sql`select count(*)::int as running from pg_stat_activity
          where datname = current_database() and state = 'active' and wait_event = 'PgSleep'`,
    );
    return row?.running ?? 0;
  };
  for (let round = 0; round < 20; round += 1) {
    const leaving = new AbortController();
    const answers = Array.from({ length: 5 }, () =>
      fetch(`${base}/rpc/wait?seconds=60`, { headers: headers(), signal: leaving.signal }),
    );
    await vi.waitUntil(async () => (await running()) === 5, waiting);
    leaving.abort();
    for (const answer of await Promise.allSettled(answers)) expect(answer.status).toBe('rejected');
    await vi.waitUntil(async () => (await running()) === 0, waiting);
  }
  expect((await fetch(`${base}/profiles?limit=1`, { headers: headers() })).status).toBe(200);
  // What was stopped on purpose is no failure of the service.
  expect(logged.filter((line) => line.includes('"status":500'))).toEqual([]);
}, 60_000);

it('REST-25 behind a pooler a cancellation meets the abandoned statement and no other', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  const sleep = [{ text: 'select pg_sleep(60)', values: [] }];
  const sleeping = async (): Promise<number[]> =>
    (
      await service.database.query<{ pid: number }>(
        sql`select pid from pg_stat_activity where query = 'select pg_sleep(60)' and wait_event = 'PgSleep'`,
      )
    ).map(({ pid }) => pid);
  const options = { poolSize: 1, waitLimit: 10_000, onConnectionError: () => {} };
  const bystander = await openExternal({ ...options, url: url.href });
  const theirs = bystander.batch(sleep).catch((error: unknown) => error);
  await vi.waitUntil(async () => (await sleeping()).length === 1, waiting);
  const [pid = 0] = await sleeping();
  // The pooler hands out the very process id behind which somebody else's statement runs.
  const pooler = await startPooler(Number(url.port), pid);
  url.port = String(pooler.port);
  const pooled = await openExternal({ ...options, url: url.href });
  let leave = (): void => {};
  const ours = pooled.batch(sleep, {
    onClientAbort: (listener) => {
      leave = listener;
      return () => {};
    },
  });
  await vi.waitUntil(async () => (await sleeping()).length === 2, waiting);
  leave();
  await expect(ours).rejects.toMatchObject({ code: '57014' });
  expect(pooler.cancelled()).toBe(1);
  expect(await sleeping()).toEqual([pid]);
  await service.database.query(sql`select pg_terminate_backend(${pid})`);
  await theirs;
  await Promise.all([pooled.close(), bystander.close()]);
  await pooler.close();
});

it('REST-28 a token that is none asks nothing of the database but, every few seconds, for new keys', async () => {
  const begun = performance.now();
  const [batches, transactions] = (['batch', 'transaction'] as const).map((name) =>
    vi.spyOn(service.database, name),
  );
  const forged = ['abc', 'a.b.c', `${btoa('{"alg":"none"}')}.${btoa('{"role":"service_role"}')}.`];
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const Authorization = `Bearer ${forged[index % forged.length]}`;
      const { status, headers: answered } = await fetch(`${base}/accounts`, { headers: { Authorization } });
      return [status, answered.get('www-authenticate')?.startsWith('Bearer')];
    }),
  );
  expect(answers.every(([status, named]) => status === 401 && named === true)).toBe(true);
  const pauses = Math.floor((performance.now() - begun) / 5000);
  expect(batches?.mock.calls).toEqual([]);
  expect(transactions?.mock.calls.length).toBeLessThanOrEqual(1 + pauses);
  vi.restoreAllMocks();
});
