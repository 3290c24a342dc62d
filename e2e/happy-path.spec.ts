/** The product's main line, from the printed link to the second administrator. */
import { test } from './support/fixtures.ts';
import { happyPath } from './support/happy-path.ts';

test.use({ fromNothing: true });

test('C001 C003 C004 C005 C006 the main line on the embedded database', async ({
  browser,
  page,
  product,
}) => {
  await happyPath({ browser, page, product });
});
