/** Finds a Chromium for the browser tests, and downloads one if there is none. */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';

const installed = [
  // The headless build, which starts faster than the full browser.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Returns the path of an installed Chromium, or null. */
export function findChromium() {
  const found = installed.find((candidate) => fs.existsSync(candidate));
  if (found) return found;
  try {
    const { chromium } = createRequire(import.meta.url)('@playwright/test');
    const downloaded = chromium.executablePath();
    return fs.existsSync(downloaded) ? downloaded : null;
  } catch {
    return null;
  }
}

/** Prefers an installed browser, then the download of Playwright, then the system packages. */
export function ensureChromium() {
  if (findChromium()) return;
  console.log('Downloading Chromium for the browser tests ...');
  const download = spawnSync('npx', ['playwright', 'install', 'chromium'], {
    stdio: 'inherit',
    timeout: 180_000,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  });
  if (download.status === 0 && findChromium()) return;
  try {
    installSystemPackages(['chromium-headless-shell']);
  } catch {
    // Not every distribution has the headless build as a package.
    installSystemPackages(['chromium']);
  }
}

/** Installs Debian packages as root or in CI; otherwise prints the command. */
export function installSystemPackages(names) {
  const command = `apt-get install --yes --no-install-recommends ${names.join(' ')}`;
  if (process.getuid?.() !== 0 && !process.env.CI) {
    console.error(`The tests need ${names.join(', ')}. On Debian and Ubuntu, run: sudo ${command}`);
    process.exit(1);
  }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
  execFileSync('apt-get', command.split(' ').slice(1), {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
