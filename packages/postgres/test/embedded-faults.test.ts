/** Errors after which the embedded engine must not continue: it is restarted, and no response is taken for success. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openEmbedded, type EmbeddedDatabase } from '@lanternrock/postgres/embedded';
import { DatabaseUnavailableError, OperationalError } from '@lanternrock/postgres/errors';
import { faultyFilesModule, setFileFault, type FileFault } from '@lanternrock/testing/file-faults';
import { databaseWorker } from '@lanternrock/testing/paths';

let dataDir: string;
let database: EmbeddedDatabase;
const connectionErrors: string[] = [];

beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-faults-'));
  fs.cpSync(inject('embeddedTemplates').platform, dataDir, { recursive: true });
  const workerFile = path.join(dataDir, 'worker.mjs');
  const imports = [faultyFilesModule, databaseWorker].map((file) => JSON.stringify(pathToFileURL(file).href));
  fs.writeFileSync(workerFile, `import ${imports[0]};\nawait import(${imports[1]});\n`);
  database = await openEmbedded({
    dataDir,
    workerFile,
    // No watchdog: the engine reports each of these errors itself.
    resultTimeoutMs: Number.POSITIVE_INFINITY,
    connectionTimeoutMs: 120_000,
    onConnectionError: ({ message }) => connectionErrors.push(message),
  });
  await database.query(sql`create table written (id integer)`);
});
afterAll(() => {
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const insert = async (id: number): Promise<unknown> =>
  database.batch([{ text: 'insert into written values ($1)', values: [id] }]);
const written = async (id: number): Promise<boolean> =>
  (await database.query(sql`select id from written where id = ${id}`)).length > 0;
/** Waits until the engine runs again, also after the delay of repeated restarts. */
const untilAvailable = async (): Promise<void> =>
  vi.waitFor(() => database.query(sql`select 1`).then(() => {}), { timeout: 60_000, interval: 100 });

describe('an engine that cannot continue', () => {
  const faults: readonly (readonly [FileFault['kind'], string, RegExp])[] = [
    ['failed-sync', 'pg_wal', /fsync failed: EIO/],
    ['io-error', 'pg_wal', /PANIC: could not write to log file .+: I\/O error/],
    ['unknown-error', 'pg_wal', /PANIC: could not write to log file .+: I\/O error/],
    ['no-space', 'pg_wal', /PANIC: could not write to log file .+: No space left on device/],
  ];
  it.each(faults)(
    'is restarted: %s in %s',
    { tags: ['REL-06', 'REL-17'] },
    async (kind, pathPrefix, reason) => {
      await untilAvailable();
      const before = database.connections().restarts;
      await insert(1);
      setFileFault(dataDir, { kind, pathPrefix, skip: 0 });
      await expect(insert(2)).rejects.toThrow(reason);
      await expect(insert(3)).rejects.toThrow(DatabaseUnavailableError);
      setFileFault(dataDir, null);
      await untilAvailable();
      expect([await written(1), await written(3)]).toEqual([true, false]);
      expect(database.connections().restarts).toBeGreaterThan(before);
      expect(connectionErrors.join('\n')).toMatch(reason);
      await database.query(sql`truncate written`);
    },
  );

  it.each([
    ['no-permission', /could not .+ file .+: I\/O error \(EACCES: /],
    ['not-connected', /could not .+ file .+: I\/O error \(ENOTCONN: /],
  ] as const)('is restarted: %s in base', { tags: ['REL-17'] }, async (kind, reason) => {
    await untilAvailable();
    await insert(1);
    setFileFault(dataDir, { kind, pathPrefix: 'base', skip: 0 });
    await expect(database.query(sql`create table refused ()`)).rejects.toThrow(reason);
    setFileFault(dataDir, null);
    await untilAvailable();
    expect(await written(1)).toBe(true);
    await database.query(sql`truncate written`);
  });

  it('creates no database in place of a lost one', { tags: ['REL-17'] }, async () => {
    await untilAvailable();
    await insert(1);
    const directory = path.join(dataDir, 'database');
    fs.renameSync(directory, `${directory}.moved`);
    const creating = database.query(sql`create table refused ()`);
    await expect(creating).rejects.toThrow(/: I\/O error \(ENOENT: /);
    const isMissing = (): Promise<void> => expect(insert(2)).rejects.toThrow('contains no database');
    await vi.waitFor(isMissing, { timeout: 60_000, interval: 100 });
    expect(fs.existsSync(directory)).toBe(false);
    fs.renameSync(`${directory}.moved`, directory);
    await untilAvailable();
    expect([await written(1), await written(2)]).toEqual([true, false]);
    await database.query(sql`truncate written`);
  });

  it('is restarted after a fatal error', { tags: ['REL-17'] }, async () => {
    await untilAvailable();
    await expect(database.query({ text: 'copy written from stdin', values: [] })).rejects.toThrow('FATAL: ');
    await untilAvailable();
    await insert(4);
    expect(await written(4)).toBe(true);
  });
});

describe('a snapshot', () => {
  it('ends when the engine of the copy cannot continue', { tags: ['REL-17'] }, async () => {
    await untilAvailable();
    await expect(
      database.snapshot(async (tx) => tx.query({ text: 'copy written from stdin', values: [] })),
    ).rejects.toThrow(DatabaseUnavailableError);
    expect(await database.snapshot((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
    expect(fs.existsSync(path.join(dataDir, 'database.copy'))).toBe(false);
  });

  it.each(['EDQUOT', 'EFBIG', 'ENOSPC'])('reports the fix if its copy ends with %s', async (code) => {
    vi.spyOn(fs.promises, 'copyFile').mockRejectedValueOnce(Object.assign(new Error(code), { code }));
    await expect(database.snapshot((tx) => tx.query(sql`select 1`))).rejects.toMatchObject({
      name: 'OperationalError',
      message:
        `A backup of the running service cannot write its copy of the database to DATA_DIR (${code}). ` +
        'Free disk space or increase the quota, or stop the service and run the command again.',
    });
    expect(fs.existsSync(path.join(dataDir, 'database.copy'))).toBe(false);
  });

  it('is rejected before its checkpoint if the disk is full', { tags: ['OPS-24'] }, async () => {
    const statfs = vi.spyOn(fs, 'statfsSync').mockImplementation(() => {
      throw new Error('not supported');
    });
    // Unknown free space changes nothing.
    expect(await database.snapshot((tx) => tx.query(sql`select 1 as one`))).toEqual([{ one: 1 }]);
    statfs.mockRestore();
    const before = database.syncs();
    const full = vi
      .spyOn(fs, 'statfsSync')
      .mockReturnValue(Object.assign(fs.statfsSync(dataDir), { bavail: 0 }));
    await expect(database.snapshot((tx) => tx.query(sql`select 1`))).rejects.toThrow(OperationalError);
    expect(database.syncs()).toBe(before);
    full.mockRestore();
  });
});

it('closes while a statement runs', { tags: ['REL-17'] }, async () => {
  await untilAvailable();
  const endless = database.maintenance((tx) =>
    tx.query(sql`select count(*) from generate_series(1, 9000000000)`),
  );
  endless.catch(() => {});
  await database.close();
});
