/** The same line on an external Postgres. */
import { test } from '../support/fixtures.ts';
import { happyPath } from '../support/happy-path.ts';

test.use({ external: true });

test('C001 C003 C004 C005 C006 the main line on Postgres', async ({ browser, page, product }) => {
  await happyPath({ browser, page, product });
});
