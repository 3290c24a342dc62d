/** Loading, error, offline and conflict states of all screens. */
import type { Page } from '@playwright/test';
import { openAccounts, openNewAccount, search, table } from '../support/accounts-page.ts';
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { requestsTo, signInAgain } from '../support/forms.ts';
import { account, insertRows, unique } from '../support/api.ts';

test.use({ as: 'administrator' });

const failing = { code: 'XX000', message: 'The service is unavailable', details: null, hint: null };
const readsOf = (name: string): RegExp => new RegExp(`/rest/v1/${name}\\?`);
const retry = (page: Page) => page.getByRole('button', { name: 'Retry' });

const lists = [
  {
    name: 'accounts',
    path: '/admin/accounts',
    reads: 'accounts',
    title: 'Accounts',
    failed: 'The accounts could not be loaded',
    settled: 'Add Account',
  },
  {
    name: 'admins',
    path: '/admin/platform-admins',
    reads: 'user_invitations',
    title: 'Admins',
    failed: /could not be loaded/,
    settled: 'Invite Admin',
  },
  {
    name: 'notification settings',
    path: '/admin/notifications',
    reads: 'notification_settings',
    title: 'Notification Settings',
    failed: /could not be loaded/,
    settled: 'Save Settings',
  },
] as const;

for (const each of lists) {
  test(
    `${each.name}: shows a failed load with Retry and keeps the frame usable`,
    { tag: '@I26' },
    async ({ page, expectMessage }) => {
      expectMessage(failedLoad(500));
      await respondWith(page, readsOf(each.reads), 500, failing, 'GET');
      await page.goto(each.path);
      await expect(page.getByRole('main').getByText(each.failed).first()).toBeVisible();
      await expect(page.getByRole('navigation')).toBeVisible();
      await page.unroute(readsOf(each.reads));
      await retry(page).click();
      await expect(page.getByRole('main').getByText(each.failed)).toHaveCount(0);
      await expect(page.getByRole('button', { name: each.settled })).toBeEnabled();
    },
  );

  test(`${each.name}: shows the heading and no empty state while loading`, async ({ page }) => {
    const { release } = await holdRequests(page, readsOf(each.reads));
    await page.goto(each.path);
    await expect(page.getByRole('heading', { name: each.title, level: 1 })).toBeVisible();
    await expect(page.getByText(/No accounts yet|No invitations sent yet|No accounts match/)).toHaveCount(0);
    release();
    await expect(page.getByRole('button', { name: each.settled })).toBeEnabled();
  });
}

test(
  'stays usable offline, shows a banner and opens screens without a request',
  { tag: ['@REL-13', '@I36'] },
  async ({ page, context, expectMessage }) => {
    expectMessage(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    await page.goto('/admin/accounts');
    await expect(page.getByRole('button', { name: 'Add Account' })).toBeEnabled();
    // The console preloads the code of all screens when the page is idle.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some((entry) => entry.name.includes('styleguide-screen')),
    );
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    // The first check can still reach the service. The next ones follow after one, two and four seconds.
    await expect(page.getByText('You are offline.')).toBeVisible({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Styleguide' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Design System');
    await page.getByRole('link', { name: 'Logs' }).click();
    await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    await page.goBack();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
    await expect(page.getByText('The accounts could not be loaded')).toHaveCount(0);
    await context.setOffline(false);
    await expect(page.getByText('You are offline.')).toHaveCount(0);
  },
);

test('shows the banner soon if the first check still reaches the service', async ({
  page,
  expectMessage,
}) => {
  expectMessage(/ERR_CONNECTION_REFUSED/);
  await page.clock.install();
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  const checks = requestsTo(page, /\/auth$/);
  const firstCheck = page.waitForResponse(/\/auth$/);
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    dispatchEvent(new Event('offline'));
  });
  await (await firstCheck).finished();
  await page.route(/\/auth$/, (route) => route.abort('connectionrefused'));
  const banner = page.getByText('You are offline.');
  await expect(banner).toHaveCount(0);
  // Twice, because the timer starts after the response.
  await page.clock.runFor(1100);
  await page.clock.runFor(1100);
  await expect(banner).toBeVisible();
  // The times between the checks grow.
  await page.clock.runFor(9000);
  expect(checks.length).toBeLessThanOrEqual(5);
});

test('shows no banner while the browser reports no network, but the service can be reached', async ({
  page,
  expectMessage,
}) => {
  expectMessage(/ERR_CONNECTION_REFUSED/);
  await page.clock.install();
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  await page.route(/\/auth$/, (route) => route.abort('connectionrefused'));
  // A service on this device needs no network.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
    dispatchEvent(new Event('offline'));
  });
  const banner = page.getByText('You are offline.');
  await expect(banner).toBeVisible();
  await page.unroute(/\/auth$/);
  await page.clock.fastForward(11_000);
  await expect(banner).toHaveCount(0);
});

test(
  'opens panel and dialogs offline, and reports why a change is not saved',
  { tag: ['@REL-13', '@I36'] },
  async ({ page, context, instance, expectMessage }) => {
    expectMessage(/Failed to load resource|ERR_INTERNET_DISCONNECTED/);
    const name = unique('Offline');
    await insertRows(instance, 'accounts', [account(name)]);
    await openAccounts(page, `?q=${name}`);
    await expect(page.getByRole('row', { name })).toBeVisible();
    // The console preloads the code of all dialogs when the page is idle.
    for (const code of ['account-panel', 'suspend-account-dialog'])
      await page.waitForFunction(
        (part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(part)),
        code,
      );
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect(toastWith(page, 'Error changing status')).toContainText(
      'The service cannot be reached. Check your connection and try again.',
    );
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect(toastWith(page, 'Account archived')).toBeVisible();
    await expect(toastWith(page, 'Error changing status')).toHaveCount(0);
  },
);

test(
  'keeps the input of a form when the session ends and the user signs in again',
  { tag: '@X06' },
  async ({ openBrowser, users, expectMessage }) => {
    expectMessage(failedLoad(401));
    const user = await users.create();
    const page = await openBrowser(user);
    const form = await openNewAccount(page);
    const name = unique('Kept');
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('enterprise');
    // Another tab signs out.
    const other = await page.context().newPage();
    await other.goto('/admin/logs');
    await other.getByRole('complementary').getByRole('button', { name: user.fullName }).click();
    await other.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(other).toHaveURL(/\/auth$/);
    await page.bringToFront();
    await signInAgain(page);
    await expect(form.getByLabel('Account Name')).toHaveValue(name);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Account created')).toBeVisible();
  },
);

test('creates one account for a double submit', { tag: ['@X05', '@CON-16'] }, async ({ page }) => {
  const form = await openNewAccount(page);
  await form.getByLabel('Account Name').fill(unique('Once'));
  await form.getByLabel('Type').selectOption('enterprise');
  const posts = requestsTo(page, /\/rest\/v1\/accounts/, 'POST');
  await form.getByRole('button', { name: 'Create Account' }).dblclick();
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Account created')).toBeVisible();
  expect(posts).toHaveLength(1);
});

test('accepts no input while a form is being sent, and sends changed input after an error', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(500));
  const url = /\/rest\/v1\/accounts/;
  const form = await openNewAccount(page);
  const field = form.getByLabel('Account Name');
  await form.getByLabel('Type').selectOption('enterprise');
  const posts = requestsTo(page, url, 'POST');
  await respondWith(page, url, 500, failing, 'POST');
  const { release } = await holdRequests(page, url);
  await field.fill('First');
  await field.press('Enter');
  await expect(field).not.toBeEditable();
  await page.keyboard.type('Second');
  await page.keyboard.press('Enter');
  release();
  await expect(toastWith(page, 'Error creating account')).toBeVisible();
  await expect(field).toHaveValue('First');
  await expect(field).toBeFocused();
  await field.fill('Second');
  await field.press('Enter');
  await expect
    .poll(() => posts.map((post) => (post.postDataJSON() as { name: string }).name))
    .toEqual(['First', 'Second']);
});

test(
  'asks for confirmation before it leaves changed settings by link, palette or Back',
  { tag: '@I21' },
  async ({ page }) => {
    await page.goto('/admin/logs');
    await page.getByRole('link', { name: 'Notifications' }).click();
    const name = page.getByLabel('Sender Name');
    await expect(page.getByRole('button', { name: 'Save Settings' })).toBeEnabled();
    await name.fill('Not saved yet');
    const confirmation = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
    const ways = [
      () => page.getByRole('link', { name: 'Accounts' }).click(),
      async () => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search or run a command' }).fill('subtypes');
        await page.keyboard.press('Enter');
      },
      () => page.goBack(),
    ];
    for (const go of ways) {
      await go();
      await expect(confirmation).toBeVisible();
      await confirmation.getByRole('button', { name: 'Keep editing' }).click();
      await expect(confirmation).toHaveCount(0);
      await expect(page).toHaveURL(/\/admin\/notifications$/);
      await expect(name).toHaveValue('Not saved yet');
    }
    await page.getByRole('link', { name: 'Accounts' }).click();
    await confirmation.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts$/);

    // Saved settings need no confirmation.
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByLabel('Sender Email Address').fill('saved@example.org');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(toastWith(page, 'Settings saved')).toBeVisible();
    await page.getByRole('link', { name: 'Accounts' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts$/);
  },
);

test('shows neither the screen nor the denial while the role is unknown, and Retry after a failed check', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(500));
  await respondWith(page, readsOf('user_roles'), 500, failing);
  const { release } = await holdRequests(page, readsOf('user_roles'));
  await page.goto('/admin/platform-admins');
  await expect(page.getByRole('navigation')).toBeVisible();
  await expect(page.getByText('Access Denied')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Admins' })).toHaveCount(0);
  release();
  await expect(page.getByText('Your role could not be checked')).toBeVisible();
  await page.unroute(readsOf('user_roles'));
  await retry(page).click();
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeVisible();
});

test('reads a failed list again when the service is back', async ({ page, expectMessage }) => {
  expectMessage(/Failed to load resource|The profile could not be loaded/);
  const outage = /\/rest\/v1\/|session-watch/;
  await page.route(outage, (route) => route.abort('connectionrefused'));
  await page.goto('/admin/accounts');
  await expect(page.getByText('The accounts could not be loaded')).toBeVisible();
  await page.unroute(outage);
  await expect(table(page)).toHaveAttribute('aria-rowcount', /[1-9]/, { timeout: 20_000 });
  await expect(page.getByText('The accounts could not be loaded')).toHaveCount(0);
  await expect(toastWith(page, 'Error fetching accounts')).toHaveCount(0);
});

test('shows the full empty-state texts on a phone', { tag: '@I25' }, async ({ page, instance }) => {
  await page.setViewportSize({ width: 375, height: 740 });
  await insertRows(instance, 'accounts', [account(unique('Narrow'))]);
  await page.goto('/admin/accounts?q=no-such-account-anywhere');
  const clear = page.getByRole('button', { name: 'Clear filters' });
  await expect(clear).toBeInViewport({ ratio: 1 });
  await expect(page.getByText('No accounts match your filters')).toBeInViewport({ ratio: 1 });
  await clear.press('Enter');
  await expect(search(page)).toHaveValue('');
  await expect(page.getByRole('region', { name: 'Accounts' })).toBeFocused();
});
