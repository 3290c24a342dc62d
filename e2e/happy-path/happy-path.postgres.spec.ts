/** Happy path on an external database. */
import { test } from '../support/fixtures.ts';
import { happyPath } from '../support/happy-path.ts';

test.use({ external: true });

test(
  'completes the happy path on Postgres',
  { tag: ['@C001', '@C003', '@C004', '@C005', '@C006'] },
  async ({ browser, page, instance }) => {
    await happyPath({ browser, page, instance });
  },
);
