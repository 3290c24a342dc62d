/** Two users in two tabs of one browser. */
import { expect, test } from '../support/console-fixtures.ts';
import { storageKey } from '../support/users.ts';

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
