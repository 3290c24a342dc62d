/** Checks by file times whether an installation or build is out of date. */
import fs from 'node:fs';
import path from 'node:path';

const ignored = new Set(['node_modules', 'dist', '.git', '.data']);

/** Returns the time of the newest change below `entry`, in milliseconds; 0 if it does not exist. */
export function newestChange(entry) {
  if (!fs.existsSync(entry)) return 0;
  const stat = fs.statSync(entry);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return fs
    .readdirSync(entry)
    .filter((name) => !ignored.has(name))
    .reduce((newest, name) => Math.max(newest, newestChange(path.join(entry, name))), 0);
}

/** Returns true if `result` is missing or older than one of its sources. */
export function isStale(result, sources) {
  if (!fs.existsSync(result)) return true;
  const builtAt = fs.statSync(result).mtimeMs;
  return sources.some((source) => newestChange(source) > builtAt);
}
