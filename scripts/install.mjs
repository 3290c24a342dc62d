/** Installs the packages if they are missing or older than the lock file: `npm run setup`, and before a start or a test. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './is-stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

export function install() {
  const marker = path.join(root, 'node_modules/.package-lock.json');
  if (!isStale(marker, [path.join(root, 'package-lock.json')])) return;
  console.log('Installing packages ...');
  execFileSync('npm', ['ci', '--loglevel', 'error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) install();
