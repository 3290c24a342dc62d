import { defineConfig } from 'vitest/config';

/** Against hanging, not for measuring: a busy machine starves a process for seconds. */
const patient = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'apps/server/src/**/*.test.ts',
            'apps/console/src/**/*.test.{ts,tsx}',
          ],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['apps/server/test/*.test.ts'],
          globalSetup: ['apps/server/test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
          maxWorkers: 2,
          // Files of one worker share what was loaded and compiled; each opens databases of its own.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The built product as a process of its own: `npm run build` first.
        test: {
          name: 'process',
          include: ['apps/server/test/process/*.test.ts'],
          globalSetup: ['e2e/support/instance-template.ts'],
          // A busy machine needs a minute for a first start.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: patient,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
