/** Several tabs: with one session and a short access token TTL, and with two users. */
import { expect, test } from '../support/console-fixtures.ts';
import { watchConsole } from '../support/fixtures.ts';
import { applyPageConditions } from '../support/page-conditions.ts';
import { createTestUsers, storageKey, storageStateFor } from '../support/users.ts';
import { startInstance } from '../support/instance.ts';

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
      await applyPageConditions(context);
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

test('keeps unsaved input for its user when another user signs in in another tab', async ({
  users,
  openBrowser,
  instance,
}) => {
  const [user, other] = [await users.create(), await users.create()];
  const page = await openBrowser(user);
  await page.goto('/admin/notifications');
  await page.getByLabel('Sender Name').fill('Half typed');
  const two = await page.context().newPage();
  await two.goto('/admin/analytics');
  await expect(two.getByRole('heading', { name: 'Global Analytics', level: 1 })).toBeVisible();
  // As the client of another tab does.
  await two.evaluate(
    ([key, session]) => {
      localStorage.setItem(key, JSON.stringify(session));
      new BroadcastChannel(key).postMessage({ event: 'SIGNED_IN', session });
    },
    [storageKey(instance), other.session] as const,
  );
  await expect(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(user.email);
  await expect(page.getByLabel('Sender Name')).toHaveValue('Half typed');
});
