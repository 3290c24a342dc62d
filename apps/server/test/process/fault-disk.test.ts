/** A full disk under the data directory, which needs its own file system and therefore root, and a limit of the size of files. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { accountRow, setUpAdministrator, signInAsAdministrator } from './api-client.ts';
import { finishWriteLoad, isAlive, startWriteLoad } from './write-load.ts';

const canMount = process.getuid?.() === 0 && process.platform === 'linux';
if (!canMount)
  console.log('Skipped: the full disk (REL-05) needs root on Linux to mount a small file system.');

describe.skipIf(!canMount)('a full disk', () => {
  let dataDir: string;
  let instance: Instance;
  const filler = (): string => path.join(dataDir, 'filler');

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=700', 'tmpfs', dataDir]);
    instance = await startInstance({
      dataDir,
      environment: { STATEMENT_TIMEOUT: '2000', RATE_LIMITS: 'off' },
    });
    await setUpAdministrator(instance);
  });
  afterAll(async () => {
    await instance.kill();
    execFileSync('umount', ['-l', dataDir]);
    fs.rmdirSync(dataDir);
  });

  /** Fills the disk except for the given number of bytes. */
  function fill(freeBytes: number): void {
    const { bavail, bsize } = fs.statfsSync(dataDir);
    const block = Buffer.alloc(1_048_576);
    const file = fs.openSync(filler(), 'w');
    for (let rest = bavail * bsize - freeBytes; rest > 0; rest -= block.length) {
      fs.writeSync(file, block, 0, Math.min(rest, block.length));
    }
    fs.closeSync(file);
  }

  it(
    'rejects writes, serves health, loses nothing, and recovers',
    { tags: ['REL-05'], timeout: 180_000 },
    async () => {
      const client = await signInAsAdministrator(instance);
      const load = startWriteLoad(client, 4);
      await load.next();
      fill(0);
      // Postgres has preallocated space for its WAL. Large writes use it up.
      const rows = Array.from({ length: 1000 }, () => accountRow(client, 'Filler'.repeat(30)));
      const flood = async (): Promise<number> =>
        (
          await client.call('/rest/v1/accounts', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(rows),
          })
        ).status;
      let status = 201;
      for (let count = 0; count < 100 && status === 201; count += 1) status = await flood();
      expect(status).toBeGreaterThanOrEqual(500);
      await expect.poll(() => load.rejected.size, { timeout: 60_000 }).toBeGreaterThan(0);
      expect((await fetch(`${instance.url}/health`)).status).toBe(200);
      expect(isAlive(instance)).toBe(true);
      fs.rmSync(filler());
      await finishWriteLoad(load, 'the disk of `DATA_DIR` is full');
    },
  );
});

// As an administrator of the machine sets it. Only the soft limit, so that the test can remove it.
describe.skipIf(process.platform !== 'linux')('a limit of the size of files', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ environment: { STATEMENT_TIMEOUT: '2000', RATE_LIMITS: 'off' } });
    await setUpAdministrator(instance);
  });
  afterAll(async () => {
    await instance.kill();
    fs.rmSync(instance.dataDir, { recursive: true, force: true });
  });

  const limitFileSize = (limit: string): void => {
    execFileSync('prlimit', ['--pid', String(instance.pid), `--fsize=${limit}:`]);
  };

  it(
    'rejects writes, recovers without a person, loses nothing, and the service can be stopped',
    { tags: ['REL-05'], timeout: 180_000 },
    async () => {
      const client = await signInAsAdministrator(instance);
      const load = startWriteLoad(client, 4);
      await load.next();
      limitFileSize('500000');
      await expect.poll(() => load.rejected.size, { timeout: 60_000 }).toBeGreaterThan(0);
      expect((await fetch(`${instance.url}/health`)).status).toBe(200);
      limitFileSize('unlimited');
      await finishWriteLoad(load, 'files may not exceed 500,000 bytes');
      await instance.stop();
      expect(isAlive(instance)).toBe(false);
    },
  );
});
