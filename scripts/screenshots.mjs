/**
 * Creates the screenshots of the README (`npm run build` first): an instance with sample data, as an
 * administrator sees it at 1280 by 800.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { findChromium } from './install-browser.mjs';

const fromRoot = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const password = 'lantern on the pier 7';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'lanternrock-screenshots-'));
const child = spawn(process.execPath, [fromRoot('apps/server/bin/lanternrock.mjs'), 'start', '--demo'], {
  env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await new Promise((resolve, reject) => {
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
    const found = /listening on (http:\/\/\S+)/.exec(text)?.[1];
    if (found) resolve(found);
  });
  child.once('exit', () => reject(new Error(`The instance did not start:\n${text}`)));
});
const firstLink = fs.readFileSync(path.join(dataDir, 'first-link'), 'utf8').trim();

const browser = await chromium.launch({
  executablePath: findChromium() ?? undefined,
  args: ['--no-sandbox'],
});
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
  locale: 'en-US',
});

/** Takes a screenshot after all requests have finished, with the pointer outside of all controls. */
async function takeScreenshot(name) {
  await page.mouse.move(640, 790);
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  await page.screenshot({ path: fromRoot(`docs/images/${name}.png`) });
}

await page.goto(`${url}/auth`);
await page.getByLabel('Email').waitFor();
await takeScreenshot('auth');

await page.goto(firstLink.replace(/^https?:\/\/[^/]+/, url));
await page.getByLabel('Password', { exact: true }).fill(password);
await page.getByLabel('Confirm Password').fill(password);
await page.getByRole('button', { name: 'Set Password & Continue' }).click();
await page.getByRole('button', { name: 'Dismiss notification' }).click();
await takeScreenshot('accounts');

const firstAccount = page.getByRole('table', { name: 'Accounts' }).getByRole('link').first();
const account = await firstAccount.innerText();
await firstAccount.click();
await page.getByRole('dialog', { name: account }).waitFor();
await takeScreenshot('panel');

await page.goto(`${url}/admin/accounts?new=true`);
await page.getByRole('dialog', { name: 'Add New Account' }).waitFor();
await takeScreenshot('new');

await page.goto(`${url}/admin/platform-admins`);
await page.getByRole('row').filter({ hasText: 'pending' }).getByRole('link').first().click();
await page.getByRole('heading', { name: 'History' }).waitFor();
await takeScreenshot('panel-admin');

await page.evaluate(() => localStorage.setItem('theme', 'dark'));
await page.goto(`${url}/admin/accounts`);
await firstAccount.waitFor();
await page.keyboard.press('Control+k');
await page.getByRole('option').first().waitFor();
await takeScreenshot('palette');

await browser.close();
child.kill('SIGTERM');
await new Promise((resolve) => child.once('exit', resolve));
fs.rmSync(dataDir, { recursive: true, force: true });
