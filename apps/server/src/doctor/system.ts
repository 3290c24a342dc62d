/** The runtime, the data folder and the clocks. */
import fs from 'node:fs';
import path from 'node:path';
import { type Database, sql } from '@lanternrock/postgres';
import type { Config } from '../config/settings.ts';
import { checkFilePermissions } from '../file-permissions.ts';
import { nodeSupportWarning } from '../config/end-of-life.ts';
import { failed, ok, warning, errorMessage, type CheckResult } from './check-result.ts';

const mebibyte = 1_048_576;
/** Postgres asks for its log in pieces of 16 MiB; below four of them a write may fail. */
const leastSpace = 64 * mebibyte;
const comfortableSpace = 1024 * mebibyte;

/** Access tokens are accepted that far off; beyond, sign-ins fail. Seconds. */
const tokenTolerance = 30;

export function checkRuntime(now: Date): CheckResult {
  const version = process.versions.node;
  const problem = nodeSupportWarning(version, now);
  return problem
    ? warning('runtime', `${problem} (${version} runs.)`, 'Run the service with a supported Node.')
    : ok('runtime', `Node ${version}`);
}

export function checkDataDir({ DATA_DIR: folder }: Config): CheckResult[] {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    const free = bavail * bsize;
    const told = `${Math.floor(free / mebibyte)} MiB free in ${folder}`;
    const space =
      free < leastSpace
        ? failed('disk', told, 'Free space: below 64 MiB writes may be refused.')
        : free < comfortableSpace
          ? warning('disk', told, 'Free space soon, or move DATA_DIR.')
          : ok('disk', told);
    return [space, checkModes(folder)];
  } catch (error) {
    return [
      failed(
        'disk',
        `DATA_DIR cannot be read: ${errorMessage(error)}`,
        'Set DATA_DIR to a folder of the service.',
      ),
    ];
  }
}

/** Keys and the embedded database must be readable by their owner alone. */
function checkModes(folder: string): CheckResult {
  const keys = path.join(folder, 'keys');
  const files = fs.existsSync(keys) ? fs.readdirSync(keys).map((name) => path.join(keys, name)) : [];
  const looked = [folder, ...files].map((file) => {
    const { uid, mode } = fs.statSync(file);
    return { file, uid, mode };
  });
  const named = (some: typeof looked): string => some.map(({ file }) => file).join(', ');
  const foreign = looked.filter(({ uid, mode }) => checkFilePermissions(uid, mode).otherOwner);
  if (foreign.length > 0) {
    const owners = `other users than the service's own: ${named(foreign)} (user ${foreign[0]?.uid})`;
    return failed('files', `belong to ${owners}`, `chown -R ${folder} to the user of the service`);
  }
  const writable = looked.filter(({ uid, mode }) => checkFilePermissions(uid, mode).writableByOthers);
  if (writable.length > 0)
    return warning('files', `others may write ${named(writable)}`, `chmod -R go= ${folder}`);
  const open = looked.filter(({ mode }) => (mode & 0o077) !== 0);
  return open.length === 0
    ? ok('files', 'data folder and keys are readable by their owner alone')
    : warning('files', `others may read ${named(open)}`, `chmod -R go= ${folder}`);
}

/** @param database null when it does not open. */
export async function checkClocks(
  { DATA_DIR: folder }: Config,
  database: Database | null,
): Promise<CheckResult[]> {
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

function compare(other: string, ahead: number | null): CheckResult {
  if (ahead === null)
    return warning('clock', `${other} does not tell its time`, 'Check that DATA_DIR can be written.');
  const seconds = Math.abs(ahead) / 1000;
  const advice = 'Set the clocks of all machines by NTP.';
  if (seconds > tokenTolerance)
    return failed('clock', `${other} is ${Math.round(seconds)} s off this machine`, advice);
  if (seconds > 2) return warning('clock', `${other} is ${Math.round(seconds)} s off this machine`, advice);
  return ok('clock', `agrees with ${other}`);
}
