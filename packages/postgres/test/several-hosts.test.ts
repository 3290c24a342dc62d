/** A DATABASE_URL with several hosts: servers that refuse connections, do not respond or reject writes. */
import { freePort } from '@lanternrock/testing/free-port';
import { startPostgres, type PostgresServer, type Standby } from '@lanternrock/testing/postgres-server';
import { startProxy } from '@lanternrock/testing/tcp-proxy';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, sql } from '../src/database.ts';
import { openExternal } from '../src/open-external.ts';

const readPort = sql`select current_setting('port')::int as port`;
const write = sql`create table if not exists public.written ()`;

describe('a DATABASE_URL with several hosts', () => {
  let primary: PostgresServer;
  let standby: Standby;
  let primaryPort: number;

  beforeAll(async () => {
    primary = await startPostgres();
    primaryPort = Number(new URL(primary.superuserUrl).port);
    standby = await primary.startStandby();
  });
  afterAll(async () => {
    await standby.stop();
    await primary.stop();
  });

  /** Opens the servers with these ports, in order. */
  async function openPorts(ports: readonly number[], query = ''): Promise<Database> {
    const database = await openExternal({
      url: `postgres://postgres@${ports.map((port) => `127.0.0.1:${port}`).join()}/postgres${query}`,
      poolSize: 3,
      connectionTimeoutMs: 4000,
      resultTimeoutMs: 4000,
      onConnectionError: () => undefined,
    });
    onTestFinished(() => database.close());
    return database;
  }

  it('leads to the first server that accepts writes', async () => {
    const closed = await freePort();
    for (const ports of [
      [closed, primaryPort],
      [standby.port, primaryPort],
      [primaryPort, standby.port],
      [closed, standby.port, primaryPort],
    ]) {
      const database = await openPorts(ports);
      expect(await database.query(readPort)).toEqual([{ port: primaryPort }]);
      await database.query(write);
    }
  });

  it('leads to the first server that responds with target_session_attrs=any', async () => {
    const database = await openPorts([standby.port, primaryPort], '?target_session_attrs=any');
    expect(await database.query(readPort)).toEqual([{ port: standby.port }]);
    // A write shows that another server is needed.
    await expect(database.query(write)).rejects.toThrow('standby');
    await expect.poll(() => database.query(readPort)).toEqual([{ port: primaryPort }]);
    await database.query(write);
  });

  it('cancels a statement on the server that runs it', async () => {
    const database = await openPorts([standby.port, primaryPort], '?target_session_attrs=any');
    let abort = (): void => undefined;
    const onClientAbort = (listener: () => void) => {
      abort = listener;
      return () => undefined;
    };
    const statement = [{ text: 'select pg_sleep(60)', values: [] }];
    const outcome = database.batch(statement, { onClientAbort }).catch(String);
    await expect(database.query(write)).rejects.toThrow('standby');
    await expect.poll(() => database.query(readPort)).toEqual([{ port: primaryPort }]);
    abort();
    expect(await outcome).toContain('canceling statement due to user request');
  });

  it('fails without a server that accepts writes, and names no other server for wrong credentials', async () => {
    await expect(openPorts([standby.port, await freePort()])).rejects.toThrow(/standby|ECONNREFUSED/);
    const url = `postgres://unknown@127.0.0.1:${primaryPort},127.0.0.1:${await freePort()}/postgres`;
    const options = { url, poolSize: 1, connectionTimeoutMs: 2000, onConnectionError: () => undefined };
    await expect(openExternal(options)).rejects.toThrow('role "unknown" does not exist');
  });

  it('leaves a server that no longer responds, and finds the one that was promoted', async () => {
    const proxy = await startProxy(primaryPort);
    onTestFinished(() => proxy.close());
    const database = await openPorts([proxy.port, standby.port]);
    await database.query(write);
    proxy.stall();
    const waiting = database.query(readPort).catch((error: unknown) => String(error));
    standby.promote();
    await expect.poll(() => database.query(readPort).catch(() => null)).toEqual([{ port: standby.port }]);
    await database.query(write);
    await waiting;
  });
});
