/** Installs the packages when they are missing or older than the lock file. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './is-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export function install() {
  const marker = path.join(root, 'node_modules/.package-lock.json');
  if (!isStale(marker, [path.join(root, 'package-lock.json')])) return;
  console.log('Installing packages ...');
  // Not `npm ci`: it insists on the optional packages of every other platform, also where a
  // registry offers only this one's. The lock file still decides every version.
  execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
