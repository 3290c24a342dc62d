/** What stops a start before there is a service: settings, the folder, the database in it. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/open-database.ts';
import { openService } from '../src/service.ts';
import { openTestDatabase } from './support/engines.ts';

describe('a setting that cannot be used', () => {
  const dkim = { SMTP_URL: 'smtp://127.0.0.1:9', DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 's1' };
  it.each([
    ['DKIM_KEY_FILE /none cannot be read', { ...dkim, DKIM_KEY_FILE: '/none' }],
    ['OAUTH_PROVIDERS_FILE /none cannot be read', { OAUTH_PROVIDERS_FILE: '/none' }],
    ['SIGNING_KEYS_FILE /none cannot be read', { SIGNING_KEYS_FILE: '/none' }],
    ['SIGNING_KEYS: exactly one private key', { SIGNING_KEYS: '[]' }],
    ['ANON_KEY is too easy to guess', { ANON_KEY: 'short' }],
    ['SECRETS_KEY must be 32 random bytes', { SECRETS_KEY: 'short' }],
    ['SECRETS_KEY is needed', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
  ])('is told before a database is opened or made: %s', async (told, settings) => {
    const folder = path.join(os.tmpdir(), `lanternrock-none-${process.pid}`);
    const config = readConfig({ DATA_DIR: folder, ...settings });
    await expect(openService({ config, log: pino({ level: 'silent' }) })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringContaining(told),
    });
    expect(fs.existsSync(folder)).toBe(false);
  });
});

describe('an embedded database that does not open', () => {
  it('says why and where, and leaves the folder as it was', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-test-'));
    fs.mkdirSync(path.join(folder, 'database'));
    fs.writeFileSync(path.join(folder, 'database', 'PG_VERSION'), 'none');
    const config = readConfig({ DATA_DIR: folder });
    await expect(openDatabase(config, pino({ level: 'silent' }), { existing: true })).rejects.toMatchObject({
      name: 'StartFailure',
      message: expect.stringMatching(
        /^The embedded database does not open: .+ \(DATA_DIR .+, \d+ MiB free\)$/,
      ),
    });
    expect(fs.readdirSync(folder, { recursive: true })).toEqual(['database', 'database/PG_VERSION']);
    fs.rmSync(folder, { recursive: true });
  });
});

describe('a DATA_DIR that others may change', () => {
  it.skipIf(process.geteuid?.() !== 0)('is told, and refused where another user owns it', async () => {
    const test = await openTestDatabase('postgres');
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (text: string) => lines.push(text) });
    const config = readConfig({ DATABASE_URL: test.url, DATA_DIR: test.dataDir });
    fs.chmodSync(test.dataDir, 0o777);
    const opened = await openDatabase(config, log);
    await opened.database.close();
    expect(lines.join('')).toContain('other users may write into DATA_DIR');
    fs.chownSync(test.dataDir, 12_345, 12_345);
    const before = fs.readdirSync(test.dataDir);
    await expect(openDatabase(config, log)).rejects.toThrow('belongs to another user (12345)');
    expect(fs.readdirSync(test.dataDir)).toEqual(before);
    await test.dispose();
  });
});
