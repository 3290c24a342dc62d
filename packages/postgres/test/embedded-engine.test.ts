/**
 * Guarantees of the embedded database that PGlite itself does not provide: durability, timeouts, and no state of an earlier
 * connection.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi, inject } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openEmbedded, type EmbeddedDatabase } from '@lanternrock/postgres/embedded';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { EmbeddedStream } from '../src/embedded/embedded-stream.ts';
import { EmbeddedWorker } from '../src/embedded/embedded-worker.ts';
import { databaseWorker } from '@lanternrock/testing/paths';

let dataDir: string;

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-embedded-'));
});
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

async function open(resultTimeoutMs = 20_000): Promise<EmbeddedDatabase> {
  fs.cpSync(inject('embeddedTemplates').product, dataDir, { recursive: true });
  // A long wait, so the load of the machine does not affect the test.
  return openEmbedded({
    dataDir,
    workerFile: databaseWorker,
    resultTimeoutMs,
    connectionTimeoutMs: 120_000,
    onConnectionError: () => {},
  });
}

/** Starts a worker on a migrated directory. Returns it and its thread. */
async function startWorker(): Promise<{ worker: EmbeddedWorker; thread: Worker }> {
  fs.cpSync(inject('embeddedTemplates').product, dataDir, { recursive: true });
  const threads: Worker[] = [];
  const recordThread = (thread: Worker): void => void threads.push(thread);
  process.on('worker', recordThread);
  const worker = await EmbeddedWorker.start({
    workerFile: databaseWorker,
    directory: path.join(dataDir, 'database'),
    limits: { resultTimeoutMs: 20_000 },
  });
  process.off('worker', recordThread);
  const [thread, ...others] = threads;
  if (thread === undefined || others.length > 0) throw new Error(`${threads.length} threads were started.`);
  return { worker, thread };
}

describe('durability', () => {
  it('syncs each commit to disk', { tags: ['REL-06'] }, async () => {
    const database = await open();
    await database.query(sql`create table written (id int)`);
    const before = database.syncs();
    for (let index = 0; index < 50; index += 1) {
      await database.batch([{ text: 'insert into written values ($1)', values: [index] }]);
    }
    expect(database.syncs() - before).toBeGreaterThanOrEqual(50);
    await database.close();
  });

  it('runs Postgres with fsync on', { tags: ['REL-06'] }, async () => {
    const database = await open();
    const [row] = await database.query<{ fsync: string; method: string }>(
      sql`select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method`,
    );
    expect(row).toEqual({ fsync: 'on', method: 'fsync' });
    await database.close();
  });
});

describe('the worker', () => {
  it('keeps running if a connection is destroyed while it starts', { tags: ['REL-17'] }, async () => {
    const { worker } = await startWorker();
    let signalOpened = (): void => {};
    const opened = new Promise<EmbeddedWorker>((resolve) => {
      signalOpened = () => resolve(worker);
    });
    const stream = new EmbeddedStream(() => opened).connect();
    stream.destroy();
    signalOpened();
    await opened;
    await nextTurn();
    expect(worker.unused).toBe(true);
    await worker.close();
  });

  it('closes only after its thread has exited, also after a termination', { tags: ['REL-17'] }, async () => {
    const { worker, thread } = await startWorker();
    let ended = false;
    thread.once('exit', () => {
      ended = true;
    });
    const termination = worker.terminate();
    await worker.close();
    expect(ended).toBe(true);
    await termination;
  });

  it('closes when its thread exits without a message', { tags: ['REL-17'] }, async () => {
    const { worker, thread } = await startWorker();
    // The timeout of the shutdown never ends, so only the exit can complete it.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const exit = thread.terminate();
    await worker.close();
    await exit;
    expect(worker.unused).toBe(false);
  });
});

describe('the watchdog', () => {
  it(
    'terminates an endless statement, keeps committed rows and continues',
    { tags: ['REL-17'] },
    async () => {
      const database = await open(1500);
      await database.query(sql`create table kept (id int)`);
      await database.query(sql`insert into kept values (1)`);
      // Concurrent maintenance must restore the timeout.
      const long = async (): Promise<unknown> => database.maintenance(async (tx) => tx.query(sql`select 1`));
      await Promise.all([long(), long()]);
      let beats = 0;
      const heartbeat = setInterval(() => (beats += 1), 50);
      await expect(database.query(sql`select count(*) from generate_series(1, 9000000000)`)).rejects.toThrow(
        DatabaseUnavailableError,
      );
      clearInterval(heartbeat);
      // The main thread was not blocked.
      expect(beats).toBeGreaterThan(5);
      expect(await database.query(sql`select id from kept`)).toEqual([{ id: 1 }]);
      await database.close();
    },
  );

  it('rolls back an aborted transaction', { tags: ['REL-17'] }, async () => {
    const database = await open(1500);
    await database.query(sql`create table half (id int)`);
    const aborted = database.transaction(async (tx) => {
      await tx.query(sql`insert into half values (1)`);
      await tx.query(sql`select count(*) from generate_series(1, 9000000000)`);
    });
    await expect(aborted).rejects.toThrow(DatabaseUnavailableError);
    expect(await database.query(sql`select count(*)::int as rows from half`)).toEqual([{ rows: 0 }]);
    await database.close();
  });
});

describe('a new connection', () => {
  it('has no transaction and no role of the previous one', async () => {
    const database = await open(1500);
    await database.query(sql`create table seen (id int)`);
    const failing = database.transaction(async (tx) => {
      await tx.query(sql`insert into seen values (1)`);
      await tx.query(sql`set session authorization anon`);
      throw new DatabaseUnavailableError('aborted');
    });
    await expect(failing).rejects.toThrow('aborted');
    const [row] = await database.query(
      sql`select current_user::text as role, (select count(*)::int from seen) as rows`,
    );
    expect(row).toEqual({ role: 'postgres', rows: 0 });
    await database.close();
  });
});
describe('a request that changes the session authorization', () => {
  it.each([
    ['select 1', null],
    ['select 1 / 0', '22012'],
  ])('restores the session authorization after %s', async (statement, errorCode) => {
    const database = await open();
    for (const setAuthorization of [
      `select set_config('session_authorization', 'authenticator', true)`,
      `select set_config('session_authorization', 'authenticator', true), set_config('role', 'anon', true)`,
    ]) {
      const code = await database
        .batch([
          { text: setAuthorization, values: [] },
          { text: statement, values: [] },
        ])
        .then(
          () => null,
          (error: unknown) => (error as { code?: string }).code,
        );
      expect(code).toBe(errorCode);
      const [row] = await database.query(sql`select current_user::text as role, session_user::text as login`);
      expect(row).toEqual({ role: 'postgres', login: 'postgres' });
    }
    await database.close();
  });
});
