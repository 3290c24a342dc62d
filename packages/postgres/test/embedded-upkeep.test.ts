/** Vacuum and checkpoints of the embedded database, which has no background processes. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openEmbedded, type EmbeddedDatabase } from '@lanternrock/postgres/embedded';
import { sql } from '@lanternrock/postgres';
import { databaseWorker } from '@lanternrock/testing/paths';

const canMount = process.getuid?.() === 0 && process.platform === 'linux';

describe('maintenance of the embedded database', () => {
  let dataDir: string;
  let database: EmbeddedDatabase;
  const pauses: { reason: string; table: string | null }[] = [];
  const connectionErrors: Error[] = [];
  const countVacuums = (): number => pauses.filter(({ table }) => table === 'public.busy').length;

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-upkeep-'));
    fs.cpSync(inject('embeddedTemplates').product, dataDir, { recursive: true });
    database = await openEmbedded({
      dataDir,
      workerFile: databaseWorker,
      resultTimeoutMs: 60_000,
      onConnectionError: (error) => connectionErrors.push(error),
      onPause: (reason, _ms, table) => pauses.push({ reason, table }),
    });
    await database.query(sql`create table public.busy (id integer primary key, note text not null)`);
    await database.query(
      sql`insert into public.busy select n, repeat('x', 200) from generate_series(1, 12000) n`,
    );
  });
  afterAll(async () => {
    await database.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  it('vacuums a table with few dead rows only when idle', { tags: ['REL-17'] }, async () => {
    await database.query(sql`update public.busy set note = repeat('y', 200) where id <= 3000`);
    await database.upkeep.run();
    await expect.poll(countVacuums, { timeout: 20_000 }).toBe(1);
    const [row] = await database.query<{ dead: number }>(
      sql`select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'busy'`,
    );
    expect(row?.dead).toBe(0);
  });

  it('vacuums a table with many dead rows during requests', { tags: ['REL-17'] }, async () => {
    const before = countVacuums();
    const state = { stopped: false };
    const reader = (async () => {
      while (!state.stopped) await database.query(sql`select 1`);
    })();
    await database.query(sql`update public.busy set note = repeat('z', 200)`);
    await expect.poll(countVacuums, { timeout: 20_000 }).toBe(before + 1);
    state.stopped = true;
    await reader;
  });

  it('vacuums no large table during requests while less than a fifth of its rows are dead', async () => {
    const countLarge = (): number => pauses.filter(({ table }) => table === 'public.large').length;
    await database.query(sql`create table public.large as select n as id from generate_series(1, 80000) n`);
    const state = { stopped: false };
    const reader = (async () => {
      while (!state.stopped) await database.query(sql`select 1`);
    })();
    await database.query(sql`update public.large set id = -id where id <= 12000`);
    await database.upkeep.run();
    expect(countLarge()).toBe(0);
    await database.query(sql`update public.large set id = -id where id < 0`);
    await expect.poll(countLarge, { timeout: 20_000 }).toBe(1);
    state.stopped = true;
    await reader;
  });

  it('reports no lost connection after a snapshot', async () => {
    await database.snapshot((tx) => tx.query(sql`select 1`));
    expect(connectionErrors.map(({ message }) => message)).toEqual([]);
  });

  it('aborts a long vacuum when the database closes', async () => {
    const slowDataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-upkeep-'));
    fs.cpSync(inject('embeddedTemplates').product, slowDataDir, { recursive: true });
    const options = {
      dataDir: slowDataDir,
      workerFile: databaseWorker,
      resultTimeoutMs: 60_000,
      onConnectionError: () => {},
    };
    const slowDatabase = await openEmbedded(options);
    await slowDatabase.query(sql`create table public.slow (id integer, note text not null)`);
    await slowDatabase.query(
      sql`insert into public.slow select n, repeat('x', 500) from generate_series(1, 30000) n`,
    );
    await slowDatabase.query(sql`delete from public.slow`);
    // One page per 100 ms: more than three minutes in total.
    await slowDatabase.query(sql`set vacuum_cost_delay = 100`);
    await slowDatabase.query(sql`set vacuum_cost_limit = 1`);
    const vacuum = slowDatabase.upkeep.run();
    await slowDatabase.close();
    await vacuum;
    const reopened = await openEmbedded(options);
    expect(await reopened.query(sql`select count(*)::int as rows from public.slow`)).toEqual([{ rows: 0 }]);
    await reopened.close();
    fs.rmSync(slowDataDir, { recursive: true, force: true });
  }, 45_000);

  it('limits the write-ahead log to 128 MiB', { tags: ['REL-06'] }, async () => {
    const checkpoints = (): number => pauses.filter(({ reason }) => reason === 'checkpoint').length;
    const before = checkpoints();
    for (let round = 0; round < 4; round += 1)
      await database.query(sql`update public.busy set note = repeat(md5(${round}::text || id), 40)`);
    await expect.poll(checkpoints, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(database.sizes?.().wal).toBeLessThanOrEqual(128 * 1_048_576);
  });
});

// A file system of its own needs root.
describe.skipIf(!canMount)('a checkpoint on a full disk', () => {
  it('is postponed, and later runs without a restart', { tags: ['REL-05'], timeout: 120_000 }, async () => {
    const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-upkeep-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=700', 'tmpfs', disk]);
    const dataDir = path.join(disk, 'data');
    const filler = path.join(disk, 'filler');
    const errors: string[] = [];
    let checkpoints = 0;
    try {
      fs.cpSync(inject('embeddedTemplates').product, dataDir, { recursive: true });
      const database = await openEmbedded({
        dataDir,
        workerFile: databaseWorker,
        resultTimeoutMs: 60_000,
        onConnectionError: (error) => errors.push(error.message),
        onPause: (reason) => (checkpoints += reason === 'checkpoint' ? 1 : 0),
      });
      // Entries of the write-ahead log alone. A checkpoint is due after 48 MiB.
      const writeLog = (mebibytes: number): Promise<unknown> =>
        database.query(
          sql`select count(pg_logical_emit_message(false, 'test', repeat('x', 1048576)))
              from generate_series(1, ${mebibytes}::int)`,
        );
      const restarts = database.connections().restarts;
      await writeLog(60);
      await database.upkeep.run();
      expect(checkpoints).toBeGreaterThan(0);
      const before = checkpoints;
      const { bavail, bsize } = fs.statfsSync(disk);
      fs.writeFileSync(filler, Buffer.alloc(bavail * bsize - 12 * 1_048_576));
      await writeLog(49);
      await database.upkeep.run();
      expect([checkpoints, [...new Set(errors)]]).toEqual([
        before,
        ['Checkpoint postponed: the disk of the database is full'],
      ]);
      fs.rmSync(filler);
      await database.upkeep.run();
      expect([checkpoints, database.connections().restarts]).toEqual([before + 1, restarts]);
      await database.close();
    } finally {
      execFileSync('umount', ['-l', disk]);
      fs.rmdirSync(disk);
    }
  });
});
