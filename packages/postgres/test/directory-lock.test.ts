/** The lock of a data directory: one owner at a time, also after crashes and between machines. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockDirectory } from '@lanternrock/postgres/lock';

describe('the directory lock', () => {
  let dataDir: string;
  let lockDir: string;
  beforeEach(() => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-lock-'));
    lockDir = path.join(dataDir, 'service.lock');
  });
  afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

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
        onTestFinished(() => void child.kill('SIGKILL'));
        await once(child, 'message');
        return child;
      };
      const writer = await openInChild('r+');
      await expect(lockDirectory(dataDir)).rejects.toThrow(`in use by process ${writer.pid}.`);
      expect(fs.readdirSync(dataDir)).toEqual(['database']);
      await openInChild('r');
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
      // A process that only reads the directory does not block an owner.
      (await lockDirectory(dataDir)).release();
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
      onTestFinished(() => void parent.kill('SIGKILL'));
      const [line] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(line.toString());
      const stat = (): string[] => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
      await expect.poll(() => stat()[2]).toBe('Z');
      const first = await lockDirectory(dataDir);
      const record = readRecord();
      first.release();
      writeRecord({ ...record, pid, started: stat()[21] });
      (await lockDirectory(dataDir)).release();
    },
  );

  it(
    'takes over from a killed process, and from a stale, copied or invalid record',
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
      // The clock is set forward again and again during the wait.
      const clock = vi.spyOn(Date, 'now');
      const stop = (): void => {
        clearInterval(heartbeat);
        clock.mockRestore();
      };
      onTestFinished(stop);
      clock.mockImplementation(() => clock.mock.calls.length * 3_600_000);
      await expect(lockDirectory(dataDir)).rejects.toThrow(`${dataDir} is in use by process 7 on server-2.`);
      stop();
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
