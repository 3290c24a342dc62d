/**
 * Kills the built service during writes and restarts it: every acknowledged row must exist. TEST_LONG kills
 * fifty times.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productEntry, runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { runs } from '@lanternrock/testing/property-runs';
import { setUpAdministrator, signInAsAdministrator, storedIds } from './api-client.ts';
import { startWriteLoad, reportFault } from './write-load.ts';

const wait = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

for (const [tag, engine] of [
  ['REL-01', 'embedded'],
  ['REL-03', 'postgres'],
] as const) {
  describe(`kill -9 during writes (${engine})`, { tags: [tag] }, () => {
    const kills = runs({ short: engine === 'embedded' ? 5 : 3, long: 50 });
    let dataDir: string;
    let postgres: PostgresServer | null = null;
    let environment: Record<string, string> = {};
    let instance: Instance;

    beforeAll(async () => {
      dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-kill-'));
      if (engine === 'postgres') {
        postgres = await startPostgres();
        environment = {
          DATABASE_URL: postgres.databaseUrl,
          DATABASE_POOL: '4',
          SECRETS_KEY: randomBytes(32).toString('base64url'),
        };
      }
      instance = await startInstance({ dataDir, environment });
      await setUpAdministrator(instance);
    });
    afterAll(async () => {
      await instance.kill();
      await postgres?.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    });

    it(
      'loses no acknowledged row and leaves no transaction open',
      async () => {
        const acknowledged: string[] = [];
        const restarts: number[] = [];
        for (let round = 0; round < kills; round += 1) {
          const load = startWriteLoad(await signInAsAdministrator(instance));
          await load.next();
          await wait(100 + Math.random() * 400);
          await instance.kill('SIGKILL');
          await load.stop();
          acknowledged.push(...load.acknowledged);
          const started = performance.now();
          instance = await startInstance({ dataDir, environment });
          restarts.push(Math.round(performance.now() - started));
        }
        const stored = new Set(await storedIds(await signInAsAdministrator(instance)));
        const lost = acknowledged.filter((row) => !stored.has(row));
        console.log(
          `kill -9 (${engine}): ${kills} times, ${acknowledged.length} rows acknowledged, ${lost.length} lost, restarts in ms: ${restarts.join(' ')}`,
        );
        expect(acknowledged.length).toBeGreaterThanOrEqual(kills);
        expect(lost).toEqual([]);
        if (postgres) await expect.poll(() => openTransactions(postgres?.superuserUrl ?? '')).toBe(0);
      },
      kills * 60_000,
    );
  });
}

/** Sessions that are idle in a transaction. */
async function openTransactions(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where state like 'idle in transaction%'`,
  );
  await client.end();
  return rows[0]?.count ?? -1;
}

describe('kill -9 during the first start', () => {
  it('leaves a directory that starts', { tags: ['REL-02'] }, async () => {
    const kills = runs({ short: 4, long: 18 });
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-first-'));
    // Increasing delays hit all phases of a first start, on a slow machine too.
    for (let round = 1; round <= kills; round += 1) {
      const child = spawn(process.execPath, [productEntry, 'start'], {
        env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0' },
        stdio: 'ignore',
      });
      await wait(round * runs({ short: 700, long: 300 }));
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    const instance = await startInstance({ dataDir });
    await setUpAdministrator(instance);
    expect(await storedIds(await signInAsAdministrator(instance))).toEqual([]);
    await instance.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('a second service on the same directory', () => {
  it(
    'is rejected while the first one writes, which loses nothing',
    { tags: ['REL-04', 'OPS-25'] },
    async () => {
      const instance = await startInstance();
      await setUpAdministrator(instance);
      const load = startWriteLoad(await signInAsAdministrator(instance));
      await load.next();
      const second = await runCommand(['start'], { DATA_DIR: instance.dataDir, PORT: '0' });
      expect(second.code).toBe(1);
      expect(second.output).toContain(`is in use by process ${instance.pid}.`);
      await load.next();
      await load.stop();
      const lost = await load.lost();
      reportFault('second start on the directory', load, lost, 0);
      expect(lost).toEqual([]);
      expect(load.rejected.size).toBe(0);
      await instance.stop();
    },
  );
});
