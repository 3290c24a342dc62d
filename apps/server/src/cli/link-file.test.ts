import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeLinkFile } from './link-file.ts';

it('replaces a file or symbolic link of another user, and lets only the owner read the new file', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-first-link-'));
  const file = path.join(dataDir, 'first-link');
  const target = path.join(dataDir, 'target');
  fs.writeFileSync(target, 'before');
  fs.symlinkSync(target, file);
  writeLinkFile(dataDir, 'first-link', 'http://localhost/one');
  expect(fs.readFileSync(target, 'utf8')).toBe('before');
  fs.rmSync(file);
  fs.writeFileSync(file, 'before');
  fs.chmodSync(file, 0o666);
  const open = fs.openSync(file, 'r');
  writeLinkFile(dataDir, 'first-link', 'http://localhost/two');
  expect(fs.readFileSync(open, 'utf8')).toBe('before');
  fs.closeSync(open);
  expect(fs.readFileSync(file, 'utf8')).toBe('http://localhost/two\n');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  writeLinkFile(dataDir, 'first-link', null);
  expect(fs.existsSync(file)).toBe(false);
  fs.rmSync(dataDir, { recursive: true });
});
