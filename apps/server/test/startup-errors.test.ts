/** Errors before the service exists: settings, the data directory, and its database. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { embeddedMajor } from '@lanternrock/postgres/embedded';
import { readConfig } from '../src/config/settings.ts';
import { migrateDatabase } from '../src/database/schema-version.ts';
import { openDatabase } from '../src/database/open-database.ts';
import { openService } from '../src/service.ts';
import { openTestDatabase } from '@lanternrock/testing/engines';

describe('an invalid setting', () => {
  const dkim = { SMTP_URL: 'smtp://127.0.0.1:9', DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 's1' };
  it.each([
    ['DKIM_KEY_FILE /none cannot be read', { ...dkim, DKIM_KEY_FILE: '/none' }],
    ['Cannot read OAUTH_PROVIDERS_FILE /none', { OAUTH_PROVIDERS_FILE: '/none' }],
    ['SIGNING_KEYS: exactly one private key', { SIGNING_KEYS: '[]' }],
    ['ANON_KEY is too weak', { ANON_KEY: 'short' }],
    ['SECRETS_KEY must be 32 random bytes', { SECRETS_KEY: 'short' }],
    ['SECRETS_KEY is required', { DATABASE_URL: 'postgres://unknown@127.0.0.1:1/none' }],
  ])('is reported before a database is opened or created: %s', async (expectedMessage, settings) => {
    const directory = path.join(os.tmpdir(), `lanternrock-none-${process.pid}`);
    const config = readConfig({ DATA_DIR: directory, ...settings });
    await expect(openService({ config, log: pino({ level: 'silent' }) })).rejects.toMatchObject({
      name: 'OperationalError',
      message: expect.stringContaining(expectedMessage),
    });
    expect(fs.existsSync(directory)).toBe(false);
  });
});

describe('an embedded database that does not open', () => {
  const log = pino({ level: 'silent' });
  const directory = path.join(os.tmpdir(), `lanternrock-damaged-${process.pid}`);
  const file = path.join(directory, 'database', 'PG_VERSION');
  afterEach(() => {
    vi.restoreAllMocks();
    fs.rmSync(directory, { recursive: true, force: true });
  });

  it.each([
    [
      'none',
      /^The database in .+ is damaged: .+PG_VERSION must contain 18\. Restore the latest backup into an empty/,
    ],
    ['', /is damaged: /],
    [
      '19',
      /was created by Postgres 19, but this version contains Postgres 18\. Start the newer version of this product/,
    ],
    ['16\n', /was created by Postgres 16, .+ Start the older version of this product/],
    [
      '18\n',
      /^The embedded database cannot be opened: .+ \(DATA_DIR .+, \d+ MiB free\) If it fails again, restore/,
    ],
  ])('reports the cause and the fix and leaves the directory unchanged: %s', async (content, message) => {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    const config = readConfig({ DATA_DIR: directory });
    await expect(openDatabase(config, log, { mustExist: true })).rejects.toMatchObject({
      name: 'OperationalError',
      message: expect.stringMatching(message),
    });
    expect(fs.readdirSync(directory, { recursive: true })).toEqual(['database', 'database/PG_VERSION']);
    expect(fs.readFileSync(file, 'utf8')).toBe(content);
  });

  it.each(['', 'not a control file', 'zeros'])('reports damaged control data first: %j', async (content) => {
    fs.cpSync(inject('embeddedTemplates').platform, directory, { recursive: true });
    const control = path.join(directory, 'database', 'global', 'pg_control');
    fs.writeFileSync(control, content === 'zeros' ? Buffer.alloc(8192) : content);
    await expect(openDatabase(readConfig({ DATA_DIR: directory }), log)).rejects.toMatchObject({
      name: 'OperationalError',
      message: expect.stringMatching(
        /^The embedded database cannot be opened: (FATAL|PANIC): .+ MiB free\) If it fails again, restore/,
      ),
    });
  });

  it('contains the version of the engine', async () => {
    const { database, dispose } = await openTestDatabase('embedded');
    expect(Math.floor(database.version / 10_000)).toBe(embeddedMajor);
    await dispose();
  });

  it.each([
    ['ENOSPC', 'The disk is full. Free disk space.'],
    ['EROFS', 'The file system is read-only. Mount it writable.'],
    ['EACCES', 'Run as its owner, or change the owner with chown.'],
    ['ENOTDIR', 'Set DATA_DIR to another directory.'],
  ])('reports the fix when the directory cannot be written: %s', async (code, remedy) => {
    const config = readConfig({ DATA_DIR: directory });
    vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    await expect(openDatabase(config, log)).rejects.toThrow(
      `Cannot write to DATA_DIR ${directory} (${code}). ${remedy}`,
    );
  });
});

describe('an instance whose database is missing', () => {
  const log = pino({ level: 'silent' });
  const directory = path.join(os.tmpdir(), `lanternrock-lost-${process.pid}`);
  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }));

  it.each([
    [
      'keys/secrets.key',
      'If it is on another volume, mount it. If it is lost, run "lanternrock restore FILE"',
    ],
    ['external-database', 'uses an external database, but DATABASE_URL is not set'],
  ])('is not replaced by an empty one: %s', { tags: ['OPS-25'] }, async (file, message) => {
    fs.mkdirSync(path.join(directory, 'keys'), { recursive: true });
    // An empty mount point.
    fs.mkdirSync(path.join(directory, 'database'));
    fs.writeFileSync(path.join(directory, file), 'content');
    const before = fs.readdirSync(directory, { recursive: true });
    const config = readConfig({ DATA_DIR: directory });
    for (const open of [
      () => openDatabase(config, log),
      () => openDatabase(config, log, { mustExist: true }),
      () => openService({ config, log }),
    ])
      await expect(open()).rejects.toMatchObject({
        name: 'OperationalError',
        message: expect.stringContaining(message),
      });
    expect(fs.readdirSync(directory, { recursive: true })).toEqual(before);
  });

  it('is recognized after its settings are missing', { tags: ['OPS-25'] }, async () => {
    const test = await openTestDatabase('postgres');
    const config = readConfig({ DATABASE_URL: test.url, DATA_DIR: test.dataDir });
    await migrateDatabase({ config, database: test.database, log });
    await expect(openDatabase(readConfig({ DATA_DIR: test.dataDir }), log)).rejects.toThrow(
      'DATABASE_URL is not set',
    );
    await test.dispose();
  });
});

describe('a DATA_DIR that others can change', () => {
  it.skipIf(process.geteuid?.() !== 0)('is reported, and rejected where another user owns it', async () => {
    const test = await openTestDatabase('postgres');
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: (text: string) => lines.push(text) });
    const config = readConfig({ DATABASE_URL: test.url, DATA_DIR: test.dataDir });
    fs.chmodSync(test.dataDir, 0o777);
    const opened = await openDatabase(config, log);
    await opened.database.close();
    expect(lines.join('')).toContain('other users can write to DATA_DIR');
    fs.chownSync(test.dataDir, 12_345, 12_345);
    const before = fs.readdirSync(test.dataDir);
    await expect(openDatabase(config, log)).rejects.toThrow('is owned by another user (12345)');
    expect(fs.readdirSync(test.dataDir)).toEqual(before);
    await test.dispose();
  });
});
