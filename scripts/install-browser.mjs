/** Finds a Chromium for the browser tests, and fetches one when there is none. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const installed = [
  // The engine without the browser's own windows, which cost more than many of our pages.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium that is already there, or null. */
export function findChromium() {
  const found = installed.find((candidate) => fs.existsSync(candidate));
  if (found) return found;
  try {
    const { chromium } = createRequire(import.meta.url)('@playwright/test');
    const own = chromium.executablePath();
    return fs.existsSync(own) ? own : null;
  } catch {
    return null;
  }
}

/** An installed one first, then Playwright's own download, then the system's packages. */
export function ensureChromium() {
  if (findChromium()) return;
  console.log('Fetching Chromium for the browser tests ...');
  const download = spawnSync('npx', ['playwright', 'install', 'chromium'], {
    stdio: 'inherit',
    timeout: 180_000,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  });
  if (download.status === 0 && findChromium()) return;
  installSystemPackage('chromium');
}

/** Installs a Debian package as root or in CI; otherwise says what to type. */
export function installSystemPackage(name) {
  const command = `apt-get install --yes --no-install-recommends ${name}`;
  if (process.getuid?.() !== 0 && !process.env.CI) {
    console.error(`The tests need ${name}. Type: sudo ${command}`);
    process.exit(1);
  }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', command.split(' ').slice(1), {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
