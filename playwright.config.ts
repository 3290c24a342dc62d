import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/browser.mjs';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  // Each worker starts a product of its own; two cores carry two.
  workers: 2,
  fullyParallel: false,
  // On two cores a page is sometimes starved for seconds; what passes only at the second try is printed as flaky.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Zurich',
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    },
  },
});
