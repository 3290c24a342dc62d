/** The runtime, the data folder and the clocks. */
import fs from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import { trustOf } from '../file-trust.ts';
import { nodeProblem } from '../support-periods.ts';
import { broken, fine, risky, wordsOf, type Finding } from './finding.ts';

const mebibyte = 1_048_576;
/** Postgres asks for its log in pieces of 16 MiB; below four of them a write may fail. */
const leastSpace = 64 * mebibyte;
const comfortableSpace = 1024 * mebibyte;

/** Access tokens are accepted that far off; beyond, sign-ins fail. Seconds. */
const tokenTolerance = 30;

export function checkRuntime(now: Date): Finding {
  const version = process.versions.node;
  const problem = nodeProblem(version, now);
  return problem
    ? risky('runtime', `${problem} (${version} runs.)`, 'Run the service with a supported Node.')
    : fine('runtime', `Node ${version}`);
}

export function checkFolder({ DATA_DIR: folder }: Config): Finding[] {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    const free = bavail * bsize;
    const told = `${Math.floor(free / mebibyte)} MiB free in ${folder}`;
    const space =
      free < leastSpace
        ? broken('disk', told, 'Free space: below 64 MiB writes may be refused.')
        : free < comfortableSpace
          ? risky('disk', told, 'Free space soon, or move DATA_DIR.')
          : fine('disk', told);
    return [space, checkModes(folder)];
  } catch (error) {
    return [
      broken(
        'disk',
        `DATA_DIR cannot be read: ${wordsOf(error)}`,
        'Set DATA_DIR to a folder of the service.',
      ),
    ];
  }
}

/** Keys and the embedded database must be readable by their owner alone. */
function checkModes(folder: string): Finding {
  const keys = path.join(folder, 'keys');
  const files = fs.existsSync(keys) ? fs.readdirSync(keys).map((name) => path.join(keys, name)) : [];
  const looked = [folder, ...files].map((file) => {
    const { uid, mode } = fs.statSync(file);
    return { file, uid, mode };
  });
  const named = (some: typeof looked): string => some.map(({ file }) => file).join(', ');
  const foreign = looked.filter(({ uid, mode }) => trustOf(uid, mode).foreign);
  if (foreign.length > 0) {
    const owners = `other users than the service's own: ${named(foreign)} (user ${foreign[0]?.uid})`;
    return broken('files', `belong to ${owners}`, `chown -R ${folder} to the user of the service`);
  }
  const writable = looked.filter(({ uid, mode }) => trustOf(uid, mode).writable);
  if (writable.length > 0)
    return risky('files', `others may write ${named(writable)}`, `chmod -R go= ${folder}`);
  const open = looked.filter(({ mode }) => (mode & 0o077) !== 0);
  return open.length === 0
    ? fine('files', 'data folder and keys are readable by their owner alone')
    : risky('files', `others may read ${named(open)}`, `chmod -R go= ${folder}`);
}

/** @param database null when it does not open. */
export async function checkClocks(
  { DATA_DIR: folder }: Config,
  database: Database | null,
): Promise<Finding[]> {
  const findings = [compare('the file system of DATA_DIR', fileClock(folder))];
  if (database) {
    const before = Date.now();
    const [row] = await database.query<{ now: Date }>(sql`select clock_timestamp() as now`);
    findings.push(compare('the database', row ? row.now.getTime() - (before + Date.now()) / 2 : null));
  }
  return findings;
}

/** How far the file system is ahead of this process, in milliseconds; null when it cannot be told. */
function fileClock(folder: string): number | null {
  const file = path.join(folder, `clock.${process.pid}`);
  try {
    const before = Date.now();
    fs.writeFileSync(file, '', { mode: 0o600 });
    return fs.statSync(file).mtimeMs - (before + Date.now()) / 2;
  } catch {
    return null;
  } finally {
    fs.rmSync(file, { force: true });
  }
}

function compare(other: string, ahead: number | null): Finding {
  if (ahead === null)
    return risky('clock', `${other} does not tell its time`, 'Check that DATA_DIR can be written.');
  const seconds = Math.abs(ahead) / 1000;
  const advice = 'Set the clocks of all machines by NTP.';
  if (seconds > tokenTolerance)
    return broken('clock', `${other} is ${Math.round(seconds)} s off this machine`, advice);
  if (seconds > 2) return risky('clock', `${other} is ${Math.round(seconds)} s off this machine`, advice);
  return fine('clock', `agrees with ${other}`);
}
