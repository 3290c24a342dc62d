/** Vacuum and checkpoints of the embedded engine, which has no background processes. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openEmbedded, type EmbeddedDatabase } from '@lanternrock/postgres/embedded';
import { sql } from '@lanternrock/postgres';
import { bundlePath } from '../src/paths.ts';

describe('the upkeep of the embedded engine', () => {
  let dataDir: string;
  let database: EmbeddedDatabase;
  const pauses: { reason: string; table: string | null }[] = [];
  const lost: Error[] = [];
  const vacuumed = (): number => pauses.filter(({ table }) => table === 'public.busy').length;

  beforeAll(async () => {
    dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-upkeep-'));
    fs.cpSync(inject('embeddedTemplate'), dataDir, { recursive: true });
    database = await openEmbedded({
      dataDir,
      workerFile: bundlePath('database-worker'),
      answerLimit: 60_000,
      onConnectionError: (error) => lost.push(error),
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

  it('REL-17 vacuums a table with few dead rows when idle only', async () => {
    await database.query(sql`update public.busy set note = repeat('y', 200) where id <= 3000`);
    await database.upkeep.run();
    await expect.poll(vacuumed, { timeout: 20_000 }).toBe(1);
    const [row] = await database.query<{ dead: number }>(
      sql`select n_dead_tup::int as dead from pg_stat_user_tables where relname = 'busy'`,
    );
    expect(row?.dead).toBe(0);
  });

  it('REL-17 vacuums a table with many dead rows although requests go on', async () => {
    const before = vacuumed();
    const state = { stopped: false };
    const reader = (async () => {
      while (!state.stopped) await database.query(sql`select 1`);
    })();
    await database.query(sql`update public.busy set note = repeat('z', 200)`);
    await expect.poll(vacuumed, { timeout: 20_000 }).toBe(before + 1);
    state.stopped = true;
    await reader;
  });

  it('a snapshot ends without a report of a lost connection', async () => {
    await database.snapshot((tx) => tx.query(sql`select 1`));
    expect(lost.map(({ message }) => message)).toEqual([]);
  });

  it('ends a long vacuum when the database closes', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-upkeep-'));
    fs.cpSync(inject('embeddedTemplate'), folder, { recursive: true });
    const options = {
      dataDir: folder,
      workerFile: bundlePath('database-worker'),
      answerLimit: 60_000,
      onConnectionError: () => {},
    };
    const other = await openEmbedded(options);
    await other.query(sql`create table public.slow (id integer, note text not null)`);
    await other.query(
      sql`insert into public.slow select n, repeat('x', 500) from generate_series(1, 30000) n`,
    );
    await other.query(sql`delete from public.slow`);
    // One page in a tenth of a second: more than three minutes.
    await other.query(sql`set vacuum_cost_delay = 100`);
    await other.query(sql`set vacuum_cost_limit = 1`);
    const vacuum = other.upkeep.run();
    await other.close();
    await vacuum;
    const again = await openEmbedded(options);
    expect(await again.query(sql`select count(*)::int as rows from public.slow`)).toEqual([{ rows: 0 }]);
    await again.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }, 45_000);

  it('REL-06 shortens the write-ahead log to at most 128 MiB', async () => {
    const checkpoints = (): number => pauses.filter(({ reason }) => reason === 'checkpoint').length;
    const before = checkpoints();
    for (let round = 0; round < 4; round += 1)
      await database.query(sql`update public.busy set note = repeat(md5(${round}::text || id), 40)`);
    await expect.poll(checkpoints, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(database.sizes?.().wal).toBeLessThanOrEqual(128 * 1_048_576);
  });
});
