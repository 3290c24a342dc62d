/** Several tabs on one session whose access tokens live for seconds only. */
import { expect, test } from './support/console-fixtures.ts';
import { watchConsole } from './support/fixtures.ts';
import { createTestUsers, storageStateFor } from './support/users.ts';
import { startInstance } from './support/instance.ts';

const rounds = process.env['TEST_LONG'] ? 10 : 3;

test('X07 C182 REL-11 three tabs over many token lifetimes: nobody is signed out', async ({ browser }) => {
  // Many page loads and a product of its own.
  test.setTimeout(180_000);
  const product = await startInstance({ environment: { ACCESS_TOKEN_TTL: '5', RATE_LIMITS: 'off' } });
  try {
    const { session } = await createTestUsers(product).administrator();
    const context = await browser.newContext({ storageState: storageStateFor(product, session) });
    const messages = watchConsole(context);
    const pages = [await context.newPage(), await context.newPage(), await context.newPage()];
    // Every token is within the client's margin, so each of these loads renews it, at the same moment.
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(pages.map((page) => page.goto(`${product.url}/admin/accounts`)));
      for (const page of pages) await expect(page.getByText(/^Page 1 of 1/)).toBeVisible();
    }
    for (const page of pages) await expect(page).toHaveURL(/\/admin\/accounts/);
    expect(messages).toEqual([]);
    await context.close();
  } finally {
    await product.stop();
  }
});
