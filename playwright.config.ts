import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/install-browser.mjs';

const executablePath = findChromium();

/**
 * Groups the tests by the kind of instance, because a worker starts a new instance for another kind. The suffix of a file
 * names the kind. The tests with dedicated instances come first, because they take longest.
 */
const projects = [
  { name: 'dedicated instance', testMatch: '**/*.dedicated.spec.ts' },
  { name: 'Postgres', testMatch: '**/*.postgres.spec.ts' },
  { name: 'foreign backend', testMatch: 'foreign-backend/*.spec.ts' },
  {
    name: 'shared instance',
    testMatch: '**/*.spec.ts',
    testIgnore: ['**/*.dedicated.spec.ts', '**/*.postgres.spec.ts', 'foreign-backend/**'],
  },
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/instance-template.ts',
  // Tests wait for pages, mails and timers. Three workers keep two cores busy.
  workers: 3,
  fullyParallel: false,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  projects,
  use: {
    // Playwright waits for animations in every step. Tests of animations enable them.
    contextOptions: { reducedMotion: 'reduce' },
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'Europe/Zurich',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking'],
    },
  },
});
