import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config/settings.ts';
import { checkClocks } from './clocks.ts';

describe('the comparison of clocks', () => {
  let directory: string;
  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-doctor-'));
  });
  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

  it('leaves no file in DATA_DIR', async () => {
    expect(await checkClocks(readConfig({ DATA_DIR: directory }), null)).toEqual([
      expect.objectContaining({ status: 'ok' }),
    ]);
    expect(fs.readdirSync(directory)).toEqual([]);
  });

  it('reports a clock that cannot be read', async () => {
    // A file in place of the directory: a path below it can be neither written nor removed.
    const file = path.join(directory, 'file');
    fs.writeFileSync(file, '');
    expect(await checkClocks(readConfig({ DATA_DIR: file }), null)).toEqual([
      expect.objectContaining({
        status: 'warning',
        message: 'the clock of DATA_DIR cannot be read',
        fix: 'Check that DATA_DIR is writable.',
      }),
    ]);
  });
});
