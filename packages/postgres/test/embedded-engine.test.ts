/**
 * Guarantees of the embedded database that PGlite itself does not provide: durability, statement timeouts and a single
 * owner.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { build } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi, inject } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openEmbedded, type EmbeddedDatabase } from '@lanternrock/postgres/embedded';
import { DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import { lockDirectory } from '@lanternrock/postgres/lock';
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

describe('watchdog', () => {
  it(
    'keeps the worker if a connection is destroyed while the worker starts',
    { tags: ['REL-17'] },
    async () => {
      fs.cpSync(inject('embeddedTemplates').product, dataDir, { recursive: true });
      const worker = await EmbeddedWorker.start({
        workerFile: databaseWorker,
        directory: path.join(dataDir, 'database'),
        limits: { resultTimeoutMs: 20_000 },
      });
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
    },
  );

  it('closes only after its thread has exited, also after a termination', { tags: ['REL-17'] }, async () => {
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
    let ended = false;
    threads[0]?.once('exit', () => {
      ended = true;
    });
    const termination = worker.terminate();
    await worker.close();
    expect([threads.length, ended]).toEqual([1, true]);
    await termination;
  });

  it('closes when its thread exits without a message', { tags: ['REL-17'] }, async () => {
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
    // The timeout of the shutdown never ends, so only the exit can complete it.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const exit = threads[0]?.terminate();
    await worker.close();
    await exit;
    expect([threads.length, worker.unused]).toEqual([1, false]);
  });

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
  it.each(['select 1', 'select 1 / 0'])('restores the session authorization after %s', async (statement) => {
    const database = await open();
    for (const setAuthorization of [
      `select set_config('session_authorization', 'authenticator', true)`,
      `select set_config('session_authorization', 'authenticator', true), set_config('role', 'anon', true)`,
    ]) {
      await database
        .batch([
          { text: setAuthorization, values: [] },
          { text: statement, values: [] },
        ])
        .catch((error: unknown) => expect(error).toMatchObject({ code: '22012' }));
      const [row] = await database.query(sql`select current_user::text as role, session_user::text as login`);
      expect(row).toEqual({ role: 'postgres', login: 'postgres' });
    }
    await database.close();
  });
});

describe('the directory lock', () => {
  let lockDir: string;
  beforeEach(() => {
    lockDir = path.join(dataDir, 'service.lock');
  });
  const readRecord = (): object => {
    const [name = ''] = fs.readdirSync(lockDir);
    return JSON.parse(fs.readFileSync(path.join(lockDir, name), 'utf8')) as object;
  };
  /** Writes the record of another owner, with the inode of the file unless it is a copy, and returns its path. */
  const writeRecord = (record: object, isCopy = false): string => {
    fs.mkdirSync(lockDir);
    const file = path.join(lockDir, 'other');
    fs.writeFileSync(file, '');
    const { ino: inode } = fs.statSync(file);
    fs.writeFileSync(file, JSON.stringify(isCopy ? record : { ...record, inode }));
    return file;
  };

  it('rejects a second owner and names the first', async () => {
    const first = await lockDirectory(dataDir);
    await expect(lockDirectory(dataDir)).rejects.toThrow(`in use by process ${process.pid}.`);
    first.release();
    (await lockDirectory(dataDir)).release();
  });

  it(
    'restores a deleted record, and reports a new owner of the directory',
    { tags: ['OPS-25'] },
    async () => {
      const onLost = vi.fn<() => void>();
      const first = await lockDirectory(dataDir, { onLost });
      const record = readRecord();
      fs.rmSync(lockDir, { recursive: true });
      first.renew();
      expect(readRecord()).toEqual({ ...record, inode: expect.any(Number) as number });
      expect(onLost).not.toHaveBeenCalled();
      fs.rmSync(lockDir, { recursive: true });
      writeRecord(record);
      first.renew();
      expect(onLost).toHaveBeenCalledOnce();
      first.release();
      expect(fs.readdirSync(lockDir)).toEqual(['other']);
    },
  );

  it.runIf(process.platform === 'linux')(
    'rejects a second owner without a record while a process writes the database',
    { tags: ['OPS-25'] },
    async () => {
      fs.mkdirSync(path.join(dataDir, 'database'));
      const file = path.join(dataDir, 'database', 'PG_VERSION');
      fs.writeFileSync(file, '17');
      const openInChild = async (flags: string): Promise<ChildProcess> => {
        const program = `require('node:fs').openSync(${JSON.stringify(file)}, '${flags}'); process.send('open'); setInterval(() => {}, 1000)`;
        const child = spawn(process.execPath, ['-e', program], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        await once(child, 'message');
        return child;
      };
      const writer = await openInChild('r+');
      await expect(lockDirectory(dataDir)).rejects.toThrow(`in use by process ${writer.pid}.`);
      expect(fs.readdirSync(dataDir)).toEqual(['database']);
      const reader = await openInChild('r');
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
      // A process that only reads the directory does not block an owner.
      (await lockDirectory(dataDir)).release();
      reader.kill('SIGKILL');
    },
  );

  it.runIf(process.platform === 'linux')(
    'takes over from a zombie process immediately',
    { tags: ['OPS-25'] },
    async () => {
      // After `exec`, no process reads the exit code of the child, so it becomes a zombie.
      const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 600'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const stat = (): string[] => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
      await expect.poll(() => stat()[2]).toBe('Z');
      const first = await lockDirectory(dataDir);
      const record = readRecord();
      first.release();
      writeRecord({ ...record, pid, started: stat()[21] });
      (await lockDirectory(dataDir)).release();
      parent.kill('SIGKILL');
    },
  );

  it(
    'takes over from a killed process, and in a copied or older directory',
    { tags: ['OPS-25'] },
    async () => {
      const first = await lockDirectory(dataDir);
      const record = readRecord();
      first.release();
      // Another process has reused the process ID.
      writeRecord({ ...record, started: '1' });
      (await lockDirectory(dataDir)).release();
      for (const changes of [{ namespace: 'elsewhere' }, { inode: -1 }, { pid: 'x' }]) {
        const file = writeRecord({ ...record, ...changes }, 'inode' in changes);
        fs.utimesSync(file, 0, 0);
        (await lockDirectory(dataDir)).release();
      }
      expect(fs.readdirSync(dataDir)).toEqual([]);
    },
  );

  it(
    'rejects a second owner while the owner on another machine sends heartbeats, and names it',
    { tags: ['OPS-25'] },
    async () => {
      const first = await lockDirectory(dataDir);
      const record = { ...readRecord(), pid: 7, namespace: 'elsewhere', host: 'server-2' };
      first.release();
      const file = writeRecord(record);
      const text = fs.readFileSync(file, 'utf8');
      const heartbeat = setInterval(() => fs.writeFileSync(file, text), 20);
      // Somebody sets the clock forward.
      const clock = vi.spyOn(Date, 'now');
      clock.mockImplementation(() => clock.mock.calls.length * 3_600_000);
      await expect(lockDirectory(dataDir)).rejects.toThrow(`${dataDir} is in use by process 7 on server-2.`);
      clearInterval(heartbeat);
      clock.mockRestore();
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
      expect(fs.readdirSync(dataDir)).toEqual(['service.lock']);
    },
  );

  it('has exactly one owner after ten concurrent starts', { tags: ['OPS-25'] }, async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockDirectory(dataDir)));
    const owners = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    expect(owners).toHaveLength(1);
    for (const owner of owners) owner.value.release();
  });

  it(
    'has one owner at a time while processes restart repeatedly',
    { tags: ['OPS-25', 'REL-04'] },
    async () => {
      const contender = path.join(dataDir, 'contender.mjs');
      await build({
        input: fileURLToPath(new URL('support/lock-contender.ts', import.meta.url)),
        platform: 'node',
        output: { file: contender },
      });
      const exitCodes = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const child = fork(contender, [dataDir, '25'], { execArgv: [] });
          return new Promise((resolve) => child.once('exit', resolve));
        }),
      );
      expect(exitCodes).toEqual([0, 0, 0, 0]);
      // No lock files remain.
      expect(fs.readdirSync(dataDir)).toEqual(['contender.mjs']);
    },
  );
});
