/** `lanternrock audit export` beside a running service, and `audit verify` on a machine without any database. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-audit-'));
const file = path.join(scratch, 'export.jsonl');
let instance: Instance;
let key: string;
beforeAll(async () => {
  instance = await startInstance();
  const settings = { DATA_DIR: instance.dataDir };
  await runCommand(['invite', 'ann@example.org', '--name', 'Ann Lee'], settings);
  await runCommand(['audit', 'export', file], settings);
  key = (await runCommand(['audit', 'public-key'], settings)).output.trim();
});
afterAll(async () => {
  await instance.stop();
  fs.rmSync(scratch, { recursive: true, force: true });
});

/** Neither a database nor valid settings. */
const elsewhere = {
  DATA_DIR: path.join(scratch, 'none'),
  DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none',
  PORT: 'none',
};

it('verifies an export without a database and without settings', async () => {
  expect(await runCommand(['audit', 'verify', file, `--key=${key}`], elsewhere)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Entries 1 to \d+ are unchanged\. The head was signed at /),
  });
  const keyFile = path.join(scratch, 'key');
  fs.writeFileSync(keyFile, `${key}\n`);
  expect((await runCommand(['audit', 'verify', file, '--key', keyFile], elsewhere)).code).toBe(0);
  expect(fs.existsSync(elsewhere.DATA_DIR)).toBe(false);
});

it('names the first changed entry, and arguments that are missing', async () => {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const tampered = path.join(scratch, 'tampered.jsonl');
  const verify = async (changed: readonly string[]) => {
    fs.writeFileSync(tampered, changed.join('\n'));
    return runCommand(['audit', 'verify', tampered, `--key=${key}`], elsewhere);
  };
  expect(await verify(lines.map((line, index) => (index === 2 ? line.replace('Z"', 'z"') : line)))).toEqual({
    code: 1,
    output: 'Line 3: entry 2 was changed: its hash does not match.\n',
  });
  expect(await verify(lines.toSpliced(2, 1))).toEqual({
    code: 1,
    output: 'Line 3: entry 2 is missing or moved: entry 3 is in its place.\n',
  });
  expect(await runCommand(['audit', 'verify', file], elsewhere)).toMatchObject({ code: 2 });
  expect(await runCommand(['audit', 'verify', path.join(scratch, 'x'), `--key=${key}`], elsewhere)).toEqual({
    code: 1,
    output: `${path.join(scratch, 'x')} cannot be read (ENOENT).\n`,
  });
});

it('replaces an export only with --force', async () => {
  const before = fs.readFileSync(file);
  const settings = { DATA_DIR: instance.dataDir };
  expect((await runCommand(['audit', 'export', file], settings)).code).toBe(1);
  expect(fs.readFileSync(file).equals(before)).toBe(true);
  expect((await runCommand(['audit', 'export', file, '--force'], settings)).code).toBe(0);
  expect((await runCommand(['audit', 'verify', file, `--key=${key}`], elsewhere)).code).toBe(0);
});
