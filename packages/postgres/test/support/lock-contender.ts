/**
 * A process that repeatedly locks and unlocks a data directory beside others. Fails when another process
 * holds the lock too. Arguments: the directory and the number of repetitions.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockDirectory, type DirectoryLock } from '@lanternrock/postgres/lock';
import { OperationalError } from '@lanternrock/postgres/errors';

const [dataDir = '', repetitions = '0'] = process.argv.slice(2);
const inside = path.join(dataDir, 'inside');

async function tryToLock(): Promise<DirectoryLock | null> {
  try {
    return await lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof OperationalError) return null;
    throw error;
  }
}

for (let lockCount = 0; lockCount < Number(repetitions);) {
  const lock = await tryToLock();
  if (lock) {
    // Fails if the file exists.
    fs.mkdirSync(inside);
    await pause(1);
    fs.rmdirSync(inside);
    lock.release();
    lockCount += 1;
  }
  await pause(1);
}
