/** Several tabs with one session and a short access token TTL. */
import { expect, test } from './support/console-fixtures.ts';
import { watchConsole } from './support/fixtures.ts';
import { createTestUsers, storageStateFor } from './support/users.ts';
import { startInstance } from './support/instance.ts';

const rounds = process.env['TEST_LONG'] ? 10 : 3;

test(
  'keeps three tabs signed in over many token refreshes',
  { tag: ['@X07', '@C182', '@REL-11'] },
  async ({ browser }) => {
    // The test loads many pages and starts an instance.
    test.setTimeout(180_000);
    const instance = await startInstance({ environment: { ACCESS_TOKEN_TTL: '5', RATE_LIMITS: 'off' } });
    try {
      const { session } = await createTestUsers(instance).administrator();
      const context = await browser.newContext({ storageState: storageStateFor(instance, session) });
      const messages = watchConsole(context);
      const pages = [await context.newPage(), await context.newPage(), await context.newPage()];
      // Every token is within the refresh margin, so all loads refresh it concurrently.
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(pages.map((page) => page.goto(`${instance.url}/admin/accounts`)));
        for (const page of pages) await expect(page.getByText(/^Page 1 of 1/)).toBeVisible();
      }
      for (const page of pages) await expect(page).toHaveURL(/\/admin\/accounts/);
      expect(messages).toEqual([]);
      await context.close();
    } finally {
      await instance.stop();
    }
  },
);
