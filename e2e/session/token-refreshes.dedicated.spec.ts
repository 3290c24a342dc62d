/** Three tabs with one session, on an instance whose access tokens expire within seconds. */
import { expect, test as base, watchConsole } from '../support/fixtures.ts';
import { startInstance } from '../support/instance.ts';
import { applyPageConditions } from '../support/page-conditions.ts';
import { createTestUsers, storageStateFor } from '../support/users.ts';

const rounds = process.env['TEST_LONG'] ? 10 : 3;

const test = base.extend({
  instance: [
    async ({ browser: _browser }, use) => {
      const instance = await startInstance({ environment: { ACCESS_TOKEN_TTL: '5', RATE_LIMITS: 'off' } });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

test(
  'keeps three tabs signed in over many token refreshes',
  { tag: ['@X07', '@C182', '@REL-11'] },
  async ({ browser, instance }) => {
    // The test loads many pages.
    test.setTimeout(180_000);
    const { session } = await createTestUsers(instance).administrator();
    const context = await browser.newContext({ storageState: storageStateFor(instance, session) });
    const messages = watchConsole(context);
    await applyPageConditions(context);
    const pages = [await context.newPage(), await context.newPage(), await context.newPage()];
    // Every token is within the refresh margin, so all loads refresh it concurrently.
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(pages.map((page) => page.goto('/admin/accounts')));
      for (const page of pages) await expect(page.getByText(/^Page 1 of 1/)).toBeVisible();
    }
    for (const page of pages) await expect(page).toHaveURL(/\/admin\/accounts/);
    expect(messages).toEqual([]);
    await context.close();
  },
);
