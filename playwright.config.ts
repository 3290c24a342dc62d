import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/install-browser.mjs';

const executablePath = findChromium();

/**
 * Files that start the same kind of product run one after the other, because a worker starts another
 * one between two kinds. Those with products of their own come first: they take longest.
 */
const projects = [
  { name: 'own product', testDir: 'e2e/dedicated-instance' },
  { name: 'Postgres', testDir: 'e2e/postgres' },
  { name: 'foreign backend', testDir: 'e2e/foreign-backend' },
  { name: 'shared product', testIgnore: ['own-product/**', 'postgres/**', 'foreign-backend/**'] },
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/instance-template.ts',
  // Each worker starts a product of its own; two cores carry two.
  workers: 2,
  fullyParallel: false,
  // On two cores a page is sometimes starved for seconds; what passes only at the second try is printed as flaky.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  projects,
  use: {
    // Every step waits until nothing moves, which adds up; tests of movement itself ask for it.
    contextOptions: { reducedMotion: 'reduce' },
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
