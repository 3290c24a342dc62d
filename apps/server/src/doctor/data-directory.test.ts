import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config/settings.ts';
import { checkDataDir } from './data-directory.ts';

describe('the checks of DATA_DIR', () => {
  let directory: string;
  beforeEach(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-doctor-'));
  });
  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

  it('report keys that cannot be read, and the free space', () => {
    // A file in place of the directory, because root can read every directory.
    fs.writeFileSync(path.join(directory, 'keys'), '', { mode: 0o600 });
    const [disk, files] = checkDataDir(readConfig({ DATA_DIR: directory }));
    expect(disk).toMatchObject({ subject: 'disk', message: expect.stringMatching(/^\d+ MiB free in /) });
    expect(files).toMatchObject({
      subject: 'files',
      status: 'failed',
      message: expect.stringMatching(/^the permissions cannot be read: .*keys/),
      fix: 'Run the command as the user of the service.',
    });
  });

  it('report a missing directory once', () => {
    fs.rmdirSync(directory);
    expect(checkDataDir(readConfig({ DATA_DIR: directory }))).toEqual([
      expect.objectContaining({
        subject: 'disk',
        status: 'failed',
        message: expect.stringMatching(/^DATA_DIR cannot be read: /),
      }),
    ]);
  });
});
