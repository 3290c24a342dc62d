import fs from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Maximum wait of polled assertions. It ends a hanging test; it does not measure, because a busy machine can pause a process for seconds. */
const expectOptions = { poll: { timeout: 30_000 } };

/** The tags of tests: the rows of these pages, with their requirements. Vitest rejects other tags. */
const tags = ['requirements', 'security-tests', 'interaction'].flatMap((page) =>
  [
    ...fs
      .readFileSync(new URL(`docs/${page}.md`, import.meta.url), 'utf8')
      .matchAll(/^\| ([A-Z]+-?\d{1,3}) \| (.*) \|.*\|$/gm),
  ].map(([, name = '', description = '']) => ({ name, description })),
);

export default defineConfig({
  test: {
    tags,
    // Many tests wait for processes and timers. Three workers keep two cores busy.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'apps/console/src/**/*.test.{ts,tsx}',
          ],
          setupFiles: ['packages/testing/src/property-seed.ts'],
          testTimeout: 60_000,
          // A process per file takes more time than the tests.
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['packages/*/test/*.test.ts', 'apps/server/test/*.test.ts'],
          globalSetup: ['packages/testing/src/global-setup.ts'],
          setupFiles: ['packages/testing/src/property-seed.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectOptions,
          // Files of one worker share compiled modules; each opens its own databases.
          isolate: false,
        },
      },
      {
        // The built product as a process of its own: `npm run build` first.
        test: {
          name: 'process',
          include: ['apps/server/test/process/*.test.ts'],
          globalSetup: ['e2e/support/instance-template.ts'],
          // A first start can take a minute on a busy machine.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: expectOptions,
        },
      },
    ],
  },
});
