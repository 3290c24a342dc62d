/** Transactions on an external Postgres that stops responding, or that refuses writes. */
import fs from 'node:fs';
import net from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { openExternal } from '@lanternrock/postgres/external';
import { sql } from '@lanternrock/postgres';
import { readConnectionUrl } from '../src/connection-url.ts';
import { listen } from '../src/listen.ts';
import { onServer } from '@lanternrock/testing/engines';
import { startPostgres } from '@lanternrock/testing/postgres-server';
import { startProxy } from '@lanternrock/testing/tcp-proxy';

it('does not wait for the rollback of a failed transaction if the server stops responding', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const messages: string[] = [];
  const database = await openExternal({
    url: url.href,
    poolSize: 2,
    connectionTimeoutMs: 5000,
    resultTimeoutMs: 300,
    onConnectionError: ({ message }) => void messages.push(message),
  });
  const work = database.transaction(async (tx) => {
    await tx.query(sql`select 1`);
    proxy.stall();
    throw new Error('transaction failed');
  });
  await expect(work).rejects.toThrow('transaction failed');
  expect(messages.join()).toMatch(/no result within 300 ms/);
  proxy.flow();
  expect(await database.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await database.close();
  await proxy.close();
});

it('leaves nothing on the server that waits for a lock after its result timeout', async () => {
  const { superuserUrl: url } = inject('postgres');
  const options = { url, connectionTimeoutMs: 20_000, onConnectionError: () => {} };
  const holder = await openExternal({ ...options, poolSize: 1 });
  const database = await openExternal({
    ...options,
    applicationName: 'waits for a lock',
    poolSize: 6,
    resultTimeoutMs: 3000,
  });
  await holder.query(sql`create table held ()`);
  const waiting = await holder.transaction(async (tx) => {
    await tx.query(sql`lock table held`);
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, async () => database.transaction((other) => other.query(sql`table held`))),
    );
    for (const result of results)
      expect(result).toMatchObject({ reason: { name: 'QueryError', code: '57014' } });
    return tx.query(
      sql`select count(*)::int as count from pg_stat_activity
           where application_name = 'waits for a lock' and wait_event_type = 'Lock'`,
    );
  });
  expect(waiting).toEqual([{ count: 0 }]);
  // Maintenance has no limit.
  const slow = await database.maintenance((tx) => tx.query(sql`select 1 as one from pg_sleep(3.2)`));
  expect(slow).toEqual([{ one: 1 }]);
  await holder.query(sql`drop table held`);
  await database.close();
  await holder.close();
});

it.runIf(process.platform === 'linux')(
  'finds out that a silent connection is lost, although maintenance waits without a limit',
  async () => {
    const database = await openExternal({
      url: inject('postgres').ownerUrl,
      poolSize: 1,
      connectionTimeoutMs: 5000,
      onConnectionError: () => {},
    });
    await database.maintenance(async (tx) => {
      const [row] = await tx.query<{ port: number }>(sql`select inet_client_port() as port`);
      const local = `:${(row?.port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
      const timer = (): string | undefined =>
        fs
          .readFileSync('/proc/net/tcp', 'utf8')
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
          .find(([, address]) => address?.endsWith(local))?.[5]
          ?.slice(0, 2);
      // The timer of keepalive, see proc_net_tcp in the documentation of Linux.
      await expect.poll(timer).toBe('02');
    });
    await database.close();
  },
);

it('is unavailable if the server refused a write and accepts writes when it is asked', async () => {
  const database = await openExternal({
    url: inject('postgres').ownerUrl,
    poolSize: 1,
    connectionTimeoutMs: 5000,
    onConnectionError: () => {},
  });
  // Like a transaction that began before the promotion of its server.
  const late = database.transaction(async (tx) => {
    await tx.query(sql`set transaction read only`);
    await tx.query(sql`create table refused ()`);
  });
  await expect(late).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'read-only' });
  const modeAfterSnapshot = database.transaction(async (tx) => {
    await tx.query(sql`set transaction read only`);
    await tx.query(sql`select 1`);
    await tx.query(sql`set transaction read write`);
  });
  await expect(modeAfterSnapshot).rejects.toMatchObject({ name: 'DatabaseUnavailableError' });
  // The same code of a statement that no transaction may contain.
  const forbidden = database.transaction((tx) => tx.query(sql`vacuum`));
  await expect(forbidden).rejects.toMatchObject({ name: 'QueryError', code: '25001' });
  await database.close();
});

it('fails to open if the server stops responding after authentication', async () => {
  // AuthenticationOk and ReadyForQuery, in response to any message.
  const greeting = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write(greeting));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const opening = openExternal({
    url: `postgres://user@127.0.0.1:${port}/none`,
    poolSize: 1,
    connectionTimeoutMs: 10_000,
    resultTimeoutMs: 100,
    onConnectionError: () => {},
  });
  await expect(opening).rejects.toBeInstanceOf(DatabaseUnavailableError);
  server.close();
});

it('closes if the server stops responding', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const settings = {
    poolSize: 3,
    connectionTimeoutMs: 5000,
    resultTimeoutMs: 300,
    onConnectionError: () => {},
  };
  const database = await openExternal({ url: url.href, ...settings });
  const read = [{ text: 'select 1', values: [] }];
  database.listen?.('channel', () => {});
  for (let count = 0; count < 5; count += 1) await database.batch(read, { withStatementTimeout: () => read });
  proxy.stall();
  await database.close();
  await proxy.close();
});

it('leaves a primary that does not answer when the address leads to another one', async () => {
  const url = new URL(inject('postgres').superuserUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const messages: string[] = [];
  const database = await openExternal({
    url: url.href,
    poolSize: 3,
    connectionTimeoutMs: 120_000,
    // Without an end, so only the change of the address ends what waits.
    onConnectionError: ({ message }) => void messages.push(message),
  });
  const reading = [{ text: 'select pg_postmaster_start_time()::text', values: [] }];
  const read = async (): Promise<unknown> => (await database.batch(reading))[0]?.rows;
  const [before] = await Promise.all([read(), read()]);
  const other = await startPostgres();
  // Slow work alone does not end.
  const slow = database.query(sql`select 1 as one from pg_sleep(2.2)`);
  expect(await slow).toEqual([{ one: 1 }]);
  proxy.moveTo(Number(new URL(other.superuserUrl).port));
  proxy.stallOpen();
  await expect(read()).rejects.toThrow('the address of the database leads to another server');
  const after = await read();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  expect(messages.join()).toMatch('the address of the database leads to another server');
  await database.close();
  await proxy.close();
  await other.stop();
});

it('replaces all connections after a result that did not arrive', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  const database = await openExternal({
    url: url.href,
    poolSize: 4,
    connectionTimeoutMs: 60_000,
    resultTimeoutMs: 500,
    onConnectionError: () => {},
  });
  const read = (): Promise<unknown> => database.query(sql`select 1 as one from pg_sleep(0.01)`);
  await Promise.all([read(), read(), read(), read()]);
  proxy.stallOpen();
  await expect(read()).rejects.toThrow('no result within 500 ms');
  const next = read();
  // All of them together: their server confirms none.
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  expect(database.connections().open).toBe(0);
  await next;
  expect(await Promise.all([read(), read(), read()])).toHaveLength(3);
  await database.close();
  await proxy.close();
});

it('receives notifications again after the server of the listening connection has vanished', async () => {
  const { ownerUrl } = inject('postgres');
  const url = new URL(ownerUrl);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  let received: (string | null)[] = [];
  const subscription = listen({
    client: readConnectionUrl(url.href).client,
    channel: 'vanished',
    onNotification: (payload) => void received.push(payload),
    onConnectionError: () => {},
    closeTimeoutMs: 1000,
  });
  const receives = async (): Promise<boolean> => {
    await onServer(ownerUrl, 'notify vanished');
    return received.includes('');
  };
  await expect.poll(receives, { timeout: 30_000 }).toBe(true);
  proxy.stallOpen();
  received = [];
  subscription.reconnect();
  await expect.poll(receives, { timeout: 30_000 }).toBe(true);
  await subscription.stop();
  await proxy.close();
});
