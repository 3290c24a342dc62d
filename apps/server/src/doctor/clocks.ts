/** Compares the clocks of this machine, of the data directory and of the database. */
import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { ok, warning, type CheckResult } from './check-result.ts';

/**
 * Compares clocks. A difference is a risk, and no failure: see "Clocks" in docs/security.md.
 *
 * @param database null if it cannot be opened
 */
export async function checkClocks(
  { DATA_DIR: directory, MIGRATE }: Config,
  database: Database | null,
): Promise<CheckResult[]> {
  const consequence = MIGRATE
    ? 'Logs and backups contain the time of this machine; sign-ins and links use the clock of the database.'
    : 'Access tokens are verified with the clock of this machine, with a tolerance of 30 s after they expire.';
  const offsetMs = measureFileClockOffsetMs(directory);
  const results = [
    offsetMs === null
      ? warning('clock', 'the clock of DATA_DIR cannot be read', 'Check that DATA_DIR is writable.')
      : compareClock('the file system of DATA_DIR', offsetMs, consequence),
  ];
  if (database) {
    const before = Date.now();
    const [row] = await database.query<{ now: Date }>(sql`select clock_timestamp() as now`);
    if (row) {
      const databaseOffsetMs = row.now.getTime() - (before + Date.now()) / 2;
      results.push(compareClock('the database', databaseOffsetMs, consequence));
    }
  }
  return results;
}

/**
 * Returns how far the clock of the file system is ahead of this process, in milliseconds; null if it cannot be read.
 * Writes a file and removes it: only a write shows this clock.
 */
function measureFileClockOffsetMs(directory: string): number | null {
  const file = path.join(directory, `clock.${process.pid}`);
  try {
    const before = Date.now();
    fs.writeFileSync(file, '', { mode: 0o600 });
    try {
      return fs.statSync(file).mtimeMs - (before + Date.now()) / 2;
    } finally {
      fs.rmSync(file);
    }
  } catch {
    return null;
  }
}

function compareClock(other: string, offsetMs: number, consequence: string): CheckResult {
  const seconds = Math.abs(offsetMs) / 1000;
  if (seconds <= 2) return ok('clock', `agrees with ${other}`);
  const message = `${other} differs from this machine by ${Math.round(seconds)} s`;
  return warning('clock', message, `Synchronize clocks with NTP. ${consequence}`);
}
