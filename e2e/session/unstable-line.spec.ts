/** A line that accepts a request and never answers, a token that expires without a line, and a wrong device clock. */
import type { Page } from '@playwright/test';
import { expect, failedLoad, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { dialog, openAccounts, openDialog } from '../support/accounts-page.ts';
import { passwordField, requestsTo, signOut } from '../support/forms.ts';
import { listRows, unique } from '../support/api.ts';
import { storageKey, testPassword } from '../support/users.ts';
import { isClockAhead } from '../support/page-conditions.ts';

const insert = /\/rest\/v1\/accounts(?:\?.*)?$/;
const refresh = /grant_type=refresh_token/;

const fillAccount = async (page: Page, name: string) => {
  const form = await openDialog(page);
  await form.getByLabel('Account Name').fill(name);
  await form.getByLabel('Type').selectOption('organization');
  return form;
};

const expireToken = (page: Page, key: string): Promise<void> =>
  page.evaluate((name) => {
    const session = JSON.parse(localStorage.getItem(name) ?? '{}') as object;
    localStorage.setItem(
      name,
      JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 60 }),
    );
  }, key);

test.describe('without an answer', () => {
  test.use({ as: 'administrator' });

  test('ends a change after half a minute, and Retry has its effect once', async ({ page, instance }) => {
    // Without HTTPS, browsers have no `randomUUID`.
    await page.addInitScript(() =>
      Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined }),
    );
    await page.clock.install();
    await openAccounts(page);
    const name = unique('unanswered');
    const posts = requestsTo(page, insert, 'POST');
    // The service creates the account, but its response does not arrive.
    await page.route(insert, async (route) => {
      if (route.request().method() === 'POST') await route.fetch();
      else await route.fallback();
    });
    const form = await fillAccount(page, name);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect.poll(() => listRows(instance, 'accounts', `name=eq.${name}`)).toHaveLength(1);
    await page.clock.runFor(30_000);
    const failure = toastWith(page, 'Error creating account');
    await expect(failure).toContainText('The service did not respond in time.');
    await expect(form.getByRole('button', { name: 'Create Account' })).toBeEnabled();
    // The account exists.
    await form.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('alertdialog', { name: 'Discard the new account?' });
    await expect(question).toBeVisible();
    await expect(question).not.toContainText('not been');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await page.unroute(insert);
    // The line was dead for longer than the key of a press without a dialog.
    await page.clock.fastForward(180_000);
    await failure.getByRole('button', { name: 'Retry' }).click();
    await expect(dialog(page)).toHaveCount(0);
    expect(posts.map((sent) => sent.headers()['idempotency-key'])).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      posts[0]?.headers()['idempotency-key'],
    ]);
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toHaveLength(1);
  });

  test('cancels a change that is not answered', async ({ page, expectMessage }) => {
    expectMessage(/net::ERR_/);
    await openAccounts(page);
    const { release } = await holdRequests(page, /\/rest\/v1\/accounts$/);
    const form = await fillAccount(page, unique('canceled'));
    const [sent] = await Promise.all([
      page.waitForRequest((request) => insert.test(request.url()) && request.method() === 'POST'),
      form.getByRole('button', { name: 'Create Account' }).click(),
    ]);
    const aborted = page.waitForEvent('requestfailed', (failed) => failed === sent);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await aborted;
    await expect(dialog(page)).toHaveCount(0);
    await expect(toastWith(page, 'Canceled')).toContainText('may have received the request already');
    release();
  });

  test('sends the current input with Retry', async ({ page, expectMessage }) => {
    expectMessage(/net::ERR_FAILED/);
    await page.goto('/admin/notifications');
    const isSave = (url: URL | string, method: string) =>
      method !== 'GET' && String(url).includes('/notification_settings');
    await page.route(/\/notification_settings/, (route) =>
      isSave(route.request().url(), route.request().method()) ? route.abort('failed') : route.fallback(),
    );
    const name = page.getByLabel('Sender Name');
    await page.getByLabel('Sender Email Address').fill('desk@example.org');
    await name.fill('First input');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    const retry = toastWith(page, 'Error').getByRole('button', { name: 'Retry' });
    await expect(retry).toBeVisible();
    await name.fill('Second input');
    const [sent] = await Promise.all([
      page.waitForRequest((request) => isSave(request.url(), request.method())),
      retry.click(),
    ]);
    expect(sent.postDataJSON()).toMatchObject({ sender_name: 'Second input' });
    await expect(retry).toBeVisible();
    await expect(name).toHaveValue('Second input');
  });

  test('offers no Retry for a request without a key, and tells that a password may be set', async ({
    page,
    expectMessage,
  }) => {
    expectMessage(/net::ERR_FAILED/);
    expectMessage(failedLoad(422));
    await page.goto('/auth/set-password?setup=true');
    const user = /\/auth\/v1\/user$/;
    let isAnswered = false;
    await page.route(user, async (route) => {
      if (route.request().method() !== 'PUT') await route.fallback();
      else if (isAnswered)
        await route.fulfill({ status: 422, json: { code: 422, error_code: 'same_password', msg: 'Same.' } });
      else await route.abort('failed');
    });
    await passwordField(page).fill(testPassword);
    await page.getByLabel('Confirm Password').fill(testPassword);
    const submit = page.getByRole('button', { name: 'Set Password & Continue' });
    await submit.click();
    const failure = toastWith(page, 'Error setting password');
    await expect(failure).toContainText('The service cannot be reached.');
    await expect(failure.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    isAnswered = true;
    await submit.click();
    await expect(failure).toContainText('An earlier attempt may have set this password.');
  });

  test('ends a read after a quarter of a minute', async ({ page }) => {
    await page.clock.install();
    await page.goto('/admin/logs');
    const { release } = await holdRequests(page, /\/notification_settings/);
    await Promise.all([
      page.waitForRequest(/notification_settings/),
      page.getByRole('link', { name: 'Notifications' }).click(),
    ]);
    await page.clock.runFor(15_000);
    await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toBeVisible();
    release();
  });
});

test('tells a session that could not be refreshed from none', async ({
  users,
  openBrowser,
  instance,
  expectMessage,
}) => {
  expectMessage(/ERR_INTERNET_DISCONNECTED|Failed to fetch|AuthRetryableFetchError/);
  const user = await users.create();
  const page = await openBrowser(user);
  await openAccounts(page);
  const name = unique('expired');
  const form = await fillAccount(page, name);
  await expireToken(page, storageKey(instance));
  await page.context().setOffline(true);
  await form.getByRole('button', { name: 'Create Account' }).click();
  const failure = toastWith(page, 'Error creating account');
  await expect(failure).toContainText('The service cannot be reached.');
  await expect(toastWith(page, 'Authentication required')).toHaveCount(0);
  const sent = requestsTo(page, /\/(?:rest|functions)\/v1\//);
  const renewed = page.waitForResponse(refresh);
  await page.context().setOffline(false);
  expect((await renewed).status()).toBe(200);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toHaveLength(1);
  const tokens = sent.map((each) => each.headers()['authorization'] ?? '');
  expect(tokens.filter((token) => !token.startsWith('Bearer ey'))).toEqual([]);
  await expect(page.getByText('Your session has ended')).toHaveCount(0);
});

test('keeps a session that could not be refreshed when the link of another user is opened', async ({
  users,
  openBrowser,
  instance,
  expectMessage,
}) => {
  expectMessage(/ERR_FAILED|AuthRetryableFetchError/);
  const [user, other] = [await users.create(), await users.plain()];
  const expired = { ...user.session, expires_at: Math.floor(Date.now() / 1000) - 60 };
  const page = await openBrowser({ ...user, session: expired });
  await page.clock.install();
  await page.route(refresh, (route) => route.abort('failed'));
  const { access_token: token, refresh_token: next } = other.session;
  await page.goto(`/auth/callback#access_token=${token}&refresh_token=${next}&type=magiclink`);
  await expect(async () => {
    await page.clock.runFor(5000);
    await expect(page).toHaveURL(/\/auth$/, { timeout: 1000 });
  }).toPass();
  const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(instance));
  expect(stored).toContain(user.session.refresh_token);
});

test('signs out of this browser offline in all tabs, which open the sign-in screen when it can be loaded', async ({
  users,
  openBrowser,
  instance,
  expectMessage,
}) => {
  expectMessage(/ERR_INTERNET_DISCONNECTED/);
  const page = await openBrowser(await users.plain());
  await page.goto('/admin/logs');
  const other = await page.context().newPage();
  await other.goto('/admin/analytics');
  await expect(other.getByRole('button', { name: 'Pat Plain' })).toBeVisible();
  await page.getByRole('button', { name: 'Pat Plain' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await signOut(page, 'Pat Plain');
  await expect(toastWith(page, 'Sign out failed')).toContainText('The service cannot be reached.');
  for (const tab of [page, other]) {
    await expect(tab.getByText('You are signed out in this browser')).toBeVisible();
    await expect(tab.getByRole('heading', { name: /^(?:Logs|Global Analytics)$/ })).toHaveCount(0);
  }
  expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(instance))).toBeNull();
  await page.context().setOffline(false);
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/auth(?:\?|$)/);
    await expect(tab.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  }
  // The reason is no longer true.
  await expect(toastWith(page, 'Sign out failed')).toHaveCount(0);
});

test('removes a session whose refresh is refused, also while its token is valid', async ({
  users,
  openBrowser,
  instance,
  expectMessage,
}) => {
  expectMessage(/AuthApiError|Invalid Refresh Token|The profile could not be loaded/);
  const message = 'Invalid Refresh Token';
  const error = JSON.stringify({ code: 'refresh_token_not_found', message, msg: message });
  for (const [status, body] of [
    [400, error],
    [401, ''],
    [403, JSON.stringify({ message })],
  ] as const) {
    expectMessage(failedLoad(status));
    const user = await users.create();
    const soon = { ...user.session, expires_at: Math.floor(Date.now() / 1000) + 60 };
    const page = await openBrowser({ ...user, session: soon });
    await page.route(refresh, (route) => route.fulfill({ status, body }));
    await page.goto('/admin/accounts');
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(instance))).toBeNull();
  }
});

test('keeps a session whose refresh is answered by something else than the service', async ({
  users,
  openBrowser,
  instance,
  expectMessage,
}) => {
  expectMessage(/AuthRetryableFetchError|The profile could not be loaded/);
  for (const [status, body] of [
    [403, '<html>Sign in to the network</html>'],
    [404, '<html>Not Found</html>'],
    [429, '{"code":"over_request_rate_limit","msg":"Too many requests"}'],
  ] as const) {
    expectMessage(failedLoad(status));
    const user = await users.create();
    const old = { ...user.session, expires_at: Math.floor(Date.now() / 1000) - 60 };
    const page = await openBrowser({ ...user, session: old });
    await page.route(refresh, (route) => route.fulfill({ status, body }));
    await page.goto('/admin/accounts');
    // The client tries for ten seconds.
    await expect(page.getByText('Your session could not be checked')).toBeVisible({ timeout: 30_000 });
    expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(instance))).not.toBeNull();
    await page.unroute(refresh);
    // The page checks again by itself.
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible({ timeout: 30_000 });
  }
});

for (const minutes of [-1440, -61, 61, 44_640]) {
  test(`keeps the session with a device clock that is off by ${minutes} minutes`, async ({ page, users }) => {
    await page.clock.install({ time: Date.now() + minutes * 60_000 });
    const refreshes = requestsTo(page, refresh);
    const { email } = await users.administrator();
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts/);
    for (const screen of ['Notifications', 'Admins', 'Accounts']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await expect(page.getByRole('link', { name: screen, exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      );
    }
    await page.clock.runFor(40_000);
    await page.reload();
    await expect(page.getByText(/^Page 1 of/)).toBeVisible();
    expect(refreshes).toHaveLength(0);
  });
}

test('refreshes a session once that was stored with another clock', async ({ users, openBrowser }) => {
  const user = await users.create();
  const page = await openBrowser(user);
  await page.clock.install({ time: Date.now() + 61 * 60_000 });
  const refreshes = requestsTo(page, refresh);
  await openAccounts(page);
  await page.reload();
  await expect(page.getByText(/^Page 1 of/)).toBeVisible();
  expect(refreshes.length).toBeLessThanOrEqual(1);
});

test('refreshes a session once when the device clock jumps in an open page', async ({
  users,
  openBrowser,
}) => {
  test.skip(isClockAhead, 'The clock jumps back to the time of the service first.');
  const page = await openBrowser(await users.create());
  await page.clock.install();
  await openAccounts(page);
  const refreshes = requestsTo(page, refresh);
  for (const hours of [3, -5]) {
    await page.clock.setSystemTime(Date.now() + hours * 3_600_000);
    for (const screen of ['Notifications', 'Accounts']) {
      await page.getByRole('link', { name: screen, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toContainText(screen.slice(0, -1));
    }
    await page.reload();
    await expect(page.getByText(/^Page 1 of/)).toBeVisible();
  }
  expect(refreshes).toHaveLength(1);
});
