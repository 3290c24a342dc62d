/** The console before the auth client is loaded, which follows the data of the first screen. */
import { expect, holdRequests, test } from '../support/console-fixtures.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { openAccounts, panel, rowFor } from '../support/accounts-page.ts';
import { requestsTo, signOut } from '../support/forms.ts';
import { isClockAhead } from '../support/page-conditions.ts';
import { storageKey } from '../support/users.ts';

const authClient = /\/assets\/auth-client-/;

test.skip(isClockAhead, 'A refresh of the session needs the client immediately.');

test('lists and changes accounts, and signs out, without the auth client', async ({
  users,
  openBrowser,
  instance,
}) => {
  const name = unique('Early Patrol');
  await insertRows(instance, 'accounts', [account(name)]);
  const page = await openBrowser(await users.create({ fullName: 'Early Bird' }));
  await page.route(authClient, () => undefined);
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link', { name }).click();
  await panel(page, name).getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit Account' });
  await form.getByLabel('City').fill('Vail');
  await form.getByRole('button', { name: 'Save Changes' }).click();
  await expect(panel(page, name)).toContainText('Vail');
  await page.keyboard.press('Escape');
  await signOut(page, 'Early Bird');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('requests the auth client once, after the rows', async ({ users, openBrowser }) => {
  const page = await openBrowser(await users.create());
  const requests = requestsTo(page, /\/assets\/auth-client-|\/rest\/v1\//);
  await openAccounts(page);
  const isClient = (): boolean[] => requests.map((request) => authClient.test(request.url()));
  await expect.poll(() => isClient().filter(Boolean).length).toBe(1);
  expect(isClient().slice(0, 4)).toEqual([false, false, false, false]);
});

test('notices a sign-out in another tab that precedes the auth client', async ({
  users,
  openBrowser,
  expectMessage,
}) => {
  // A request that is sent while the session ends.
  expectMessage(/Failed to load resource.*status of 40[013]/);
  const page = await openBrowser(await users.create({ fullName: 'Two Tabs' }));
  // The first tab does not poll either.
  await page.route(/session-watch$/, () => undefined);
  const held = await holdRequests(page, authClient);
  await openAccounts(page);
  const two = await page.context().newPage();
  await openAccounts(two);
  await signOut(two, 'Two Tabs');
  await expect(two.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  held.release();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('loads the page of a user who signed in in another tab', async ({ users, openBrowser, instance }) => {
  const [user, other] = [
    await users.create({ fullName: 'Ann First' }),
    await users.create({ fullName: 'Bob Next' }),
  ];
  const page = await openBrowser(user);
  await page.route(authClient, () => undefined);
  await openAccounts(page);
  await expect(page.getByRole('complementary').getByRole('button', { name: 'Ann First' })).toBeVisible();
  const two = await page.context().newPage();
  await two.goto('/admin/analytics');
  await expect(two.getByRole('heading', { name: 'Global Analytics', level: 1 })).toBeVisible();
  await two.evaluate(([key, session]) => localStorage.setItem(key, JSON.stringify(session)), [
    storageKey(instance),
    other.session,
  ] as const);
  await expect(page.getByRole('complementary').getByRole('button', { name: 'Bob Next' })).toBeVisible();
});

test('loads the auth client again after a failure, while the browser is online', async ({
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource|Failed to fetch dynamically imported module/);
  const page = await openBrowser(await users.create());
  let requests = 0;
  await page.route(authClient, (route) => {
    requests += 1;
    return requests < 3 ? route.abort('failed') : route.fallback();
  });
  const loaded = page.waitForResponse(authClient);
  await openAccounts(page);
  expect((await loaded).ok()).toBe(true);
});

test('shows Retry for an expired session whose auth client cannot be loaded', async ({
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource|Failed to fetch dynamically imported module/);
  const user = await users.create();
  const expired = { ...user.session, expires_at: Math.floor(Date.now() / 1000) - 60 };
  const page = await openBrowser({ ...user, session: expired });
  await page.route(authClient, (route) => route.abort('failed'));
  await page.goto('/admin/accounts');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await page.unroute(authClient);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});
