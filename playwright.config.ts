import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/browser.mjs';

const executablePath = findChromium();

type Kind = 'shared product' | 'Postgres' | 'own product';

/** What the tests of a file run against. */
const kindOf = (file: string): Kind => {
  const text = readFileSync(new URL(`e2e/${file}`, import.meta.url), 'utf8');
  if (text.includes('external: true')) return 'Postgres';
  return /ownProduct:|product: \[/.test(text) ? 'own product' : 'shared product';
};

const files = readdirSync(new URL('e2e', import.meta.url)).filter((name) => name.endsWith('.spec.ts'));

/** Files of one kind run one after the other: between kinds a worker starts another product. */
const projectOf = (kind: Kind) => ({ name: kind, testMatch: files.filter((file) => kindOf(file) === kind) });

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/product-template.ts',
  // Each worker starts a product of its own; two cores carry two.
  workers: 2,
  fullyParallel: false,
  // On two cores a page is sometimes starved for seconds; what passes only at the second try is printed as flaky.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  projects: [projectOf('own product'), projectOf('Postgres'), projectOf('shared product')],
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
