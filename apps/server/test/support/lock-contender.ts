/**
 * A process that repeatedly locks and unlocks a data directory beside others. Fails when another process
 * holds the lock too. Arguments: the directory and the number of repetitions.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockDirectory, type DirectoryLock } from '@lanternrock/postgres/lock';
import { OperationalError } from '@lanternrock/postgres/errors';

const [dataDir = '', times = '0'] = process.argv.slice(2);
const inside = path.join(dataDir, 'inside');

async function tryToEnter(): Promise<DirectoryLock | null> {
  try {
    return await lockDirectory(dataDir);
  } catch (error) {
    if (error instanceof OperationalError) return null;
    throw error;
  }
}

for (let entered = 0; entered < Number(times);) {
  const lock = await tryToEnter();
  if (lock) {
    lock.serve((socket) => socket.end(`${JSON.stringify({ pid: process.pid })}\n`));
    // Fails if the file exists.
    fs.mkdirSync(inside);
    await pause(1);
    fs.rmdirSync(inside);
    await lock.release();
    entered += 1;
  }
  await pause(1);
}
