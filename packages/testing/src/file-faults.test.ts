import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { faultyFilesModule, setFileFault } from './file-faults.ts';

let dataDir: string;
let worker: Worker;
beforeAll(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-file-faults-'));
  fs.mkdirSync(path.join(dataDir, 'database'));
  // Writes four bytes for each message and responds with the number of written bytes or with the code of the error.
  const source = `
    const { parentPort } = require('node:worker_threads');
    import(${JSON.stringify(faultyFilesModule)}).then(() => {
      const fs = require('node:fs');
      const file = fs.openSync(${JSON.stringify(path.join(dataDir, 'database/file'))}, 'w');
      parentPort.on('message', () => {
        try {
          parentPort.postMessage(fs.writeSync(file, Buffer.alloc(4), 0, 4, 0));
        } catch (error) {
          parentPort.postMessage(error.code);
        }
      });
    });`;
  worker = new Worker(source, { eval: true });
});
afterAll(async () => {
  await worker.terminate();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

async function write(count: number): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    const result = new Promise((resolve) => worker.once('message', resolve));
    worker.postMessage(null);
    results.push(await result);
  }
  return results;
}

it('skips and shortens writes again when the same fault starts again', async () => {
  const fault = { kind: 'short-write', skip: 1, pathPrefix: '' } as const;
  for (let round = 0; round < 2; round += 1) {
    setFileFault(dataDir, fault);
    expect(await write(3)).toEqual([4, 2, 'ENOSPC']);
    setFileFault(dataDir, null);
    expect(await write(1)).toEqual([4]);
  }
});
