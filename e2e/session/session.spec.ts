/** Storage, refresh, sharing between tabs, end and sign-out of a session. */
import type { Page } from '@playwright/test';
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { dialog, openAccounts, openDialog } from '../support/accounts-page.ts';
import { passwordField, requestsTo, signInAgain, signOut } from '../support/forms.ts';
import { newSession, type TestUser, testPassword, storageKey } from '../support/users.ts';
import { request, requestOk, listRows, unique } from '../support/api.ts';
import type { Instance } from '../support/fixtures.ts';
import { isClockAhead } from '../support/page-conditions.ts';

const refresh = /grant_type=refresh_token/;
const logout = /\/auth\/v1\/logout/;

const readStoredSession = (page: Page, instance: Instance): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), storageKey(instance));
/** Returns the user with an expired access token. */
const withExpiredToken = (user: TestUser): TestUser => ({
  ...user,
  session: { ...user.session, expires_at: Math.floor(Date.now() / 1000) - 60 },
});

test(
  'stores the session in local storage under the host name, also over a reload',
  { tag: ['@C170', '@C181', '@C308'] },
  async ({ page, users, instance }) => {
    const { email } = await users.plain();
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts/);
    const host = new URL(instance.url).hostname.split('.')[0] ?? '';
    const keys = await page.evaluate(() =>
      Object.keys(localStorage).filter((key) => key.endsWith('-auth-token')),
    );
    expect(keys).toEqual([`sb-${host}-auth-token`]);
    expect(JSON.parse((await readStoredSession(page, instance)) ?? '{}')).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_at: expect.any(Number),
      expires_in: expect.any(Number),
      user: { email, identities: expect.any(Array) },
    });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  },
);

test(
  'ignores a stored session without one of its three fields',
  { tag: ['@C171', '@CON-09'] },
  async ({ users, openBrowser, instance }) => {
    const user = await users.plain();
    for (const part of ['access_token', 'refresh_token', 'expires_at'] as const) {
      const { [part]: _left, ...session } = user.session;
      const page = await openBrowser({ ...user, session: session as TestUser['session'] });
      const sent = requestsTo(page, /\/(?:rest|auth|functions)\/v1\//);
      await page.goto('/admin/accounts');
      await expect(page).toHaveURL(/\/auth/);
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
      expect(await readStoredSession(page, instance)).toBeNull();
      expect(sent).toEqual([]);
      await page.context().close();
    }
  },
);

test(
  'refreshes a session before it expires',
  { tag: ['@C182', '@C238'] },
  async ({ users, openBrowser, instance }) => {
    const user = await users.create();
    const soon = { ...user.session, expires_at: Math.floor(Date.now() / 1000) + 20 };
    const page = await openBrowser({ ...user, session: soon });
    const renewed = page.waitForResponse(refresh);
    await page.goto('/admin/accounts');
    expect((await renewed).request().postDataJSON()).toMatchObject({
      refresh_token: user.session.refresh_token,
    });
    await expect.poll(() => readStoredSession(page, instance)).not.toContain(user.session.access_token);
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  },
);

test(
  'revokes the other sessions and keeps the current one',
  { tag: ['@C187', '@C233'] },
  async ({ users, openBrowser, instance, expectMessage }) => {
    expectMessage(failedLoad(401));
    expectMessage(failedLoad(400));
    expectMessage(failedLoad(403));
    expectMessage(/The profile could not be loaded/);
    const user = await users.create({ fullName: 'Two Browsers' });
    const second = { ...user, session: await newSession(instance, user.email) };
    const [here, there] = [await openBrowser(user), await openBrowser(second)];
    await openAccounts(here);
    await openAccounts(there);
    await requestOk(instance, '/auth/v1/logout?scope=others', {
      method: 'POST',
      token: user.session.access_token,
    });
    await here.reload();
    await expect(here.getByText(/^Page 1 of 1/)).toBeVisible();
    // The session watch of the other browser gets a 401.
    await expect(there.getByRole('heading', { name: 'Welcome Back' })).toBeVisible({ timeout: 30_000 });
    expect(await readStoredSession(there, instance)).toBeNull();
  },
);

test(
  'removes session and code verifier on sign-out',
  { tag: ['@C069', '@C188', '@CON-11'] },
  async ({ users, openBrowser, instance }) => {
    const user = await users.create({ fullName: 'Verifier Gone' });
    const page = await openBrowser(user);
    await page.goto('/admin/logs');
    await page.evaluate(
      (key) => localStorage.setItem(`${key}-code-verifier`, '"left behind"'),
      storageKey(instance),
    );
    await signOut(page, 'Verifier Gone');
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sb-'))),
    ).toEqual([]);
  },
);

test(
  'treats 404, 401 and 403 on sign-out as success',
  { tag: '@C189' },
  async ({ users, openBrowser, instance, expectMessage }) => {
    for (const status of [404, 401, 403]) {
      expectMessage(failedLoad(status));
      const page = await openBrowser(await users.plain());
      await respondWith(page, logout, status, { code: 'session_not_found', message: 'gone', msg: 'gone' });
      await page.goto('/admin/logs');
      await signOut(page, 'Pat Plain');
      await expect(page).toHaveURL(/\/auth$/);
      await expect(toastWith(page, 'Signed out')).toBeVisible();
      expect(await readStoredSession(page, instance)).toBeNull();
    }
  },
);

test(
  'shows the error of a failed sign-out and still signs out this browser',
  { tag: ['@C274', '@C295'] },
  async ({ users, openBrowser, instance, expectMessage }) => {
    expectMessage(failedLoad(500));
    const page = await openBrowser(await users.plain());
    const message = 'The service is unavailable';
    await respondWith(page, logout, 500, { code: 'unexpected_failure', message, msg: message });
    await page.goto('/admin/logs');
    await signOut(page, 'Pat Plain');
    await expect(page).toHaveURL(/\/auth$/);
    const failure = toastWith(page, 'Sign out failed');
    await expect(failure).toContainText(message);
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    expect(await readStoredSession(page, instance)).toBeNull();
  },
);

test(
  'removes the session after a refresh rejected with 400 or 401',
  { tag: '@C190' },
  async ({ users, openBrowser, instance, expectMessage }) => {
    expectMessage(/AuthApiError|Invalid Refresh Token/);
    for (const [status, code] of [
      [400, 'refresh_token_not_found'],
      [401, 'session_expired'],
    ] as const) {
      expectMessage(failedLoad(status));
      const page = await openBrowser(withExpiredToken(await users.plain()));
      const message = 'Invalid Refresh Token';
      await respondWith(page, refresh, status, { code, message, msg: message });
      await page.goto('/admin/accounts');
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
      expect(await readStoredSession(page, instance)).toBeNull();
    }
  },
);

test(
  'keeps the session without a response and shows Retry after ten seconds',
  { tag: ['@C191', '@X10', '@REL-13'] },
  async ({ users, openBrowser, instance, expectMessage }) => {
    expectMessage(/Failed to load resource/);
    expectMessage(/AuthRetryableFetchError|Failed to fetch/);
    // The clock of the page reaches the time limit of a read within milliseconds.
    expectMessage(/The profile could not be loaded: The service did not respond in time/);
    const user = withExpiredToken(await users.create());
    const page = await openBrowser(user);
    await page.clock.install();
    await page.route(refresh, (route) => route.abort('failed'));
    await page.goto('/admin/accounts');
    await page.clock.runFor(11_000);
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    expect(await readStoredSession(page, instance)).toContain(user.session.refresh_token);
    await page.unroute(refresh);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.clock.runFor(40_000);
    await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  },
);

test(
  'shows an error with Retry if the service never responds',
  { tag: '@X10' },
  async ({ users, openBrowser }) => {
    const page = await openBrowser(withExpiredToken(await users.plain()));
    await page.clock.install();
    const { release } = await holdRequests(page, /\/auth\/v1\//);
    const refreshRequest = page.waitForRequest(refresh);
    await page.goto('/auth');
    await refreshRequest;
    await page.clock.runFor(11_000);
    await expect(page.getByText('Your session could not be checked')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
    // The response to the held request would be an unexpected console message.
    await page.close();
    release();
  },
);

test(
  'retries a refresh after 200 ms, then after twice as long',
  { tag: '@C307' },
  async ({ users, openBrowser, expectMessage }) => {
    test.skip(isClockAhead, 'The test sets the clock itself.');
    expectMessage(/Failed to load resource/);
    expectMessage(/AuthRetryableFetchError|Failed to fetch/);
    const page = await openBrowser(withExpiredToken(await users.plain()));
    // The clock is fixed from the start, so that the intervals are exact.
    const start = Date.now();
    await page.clock.install({ time: start });
    await page.clock.pauseAt(start + 1);
    let attempts = 0;
    await page.route(refresh, (route) => {
      attempts += 1;
      return route.abort('failed');
    });
    /** Waits until the page has seen the failure of an attempt, and has set the timer of the next one. */
    const attempt = async (cause: () => Promise<unknown>): Promise<void> => {
      const before = attempts;
      const failed = page.waitForEvent('requestfailed', (each) => refresh.test(each.url()));
      await cause();
      await failed;
      expect(attempts).toBe(before + 1);
      // An answer of the browser comes after the tasks that the failure has queued.
      await page.evaluate(() => navigator.locks.query());
    };
    await attempt(() => page.goto('/auth'));
    for (const pause of [200, 400, 800]) {
      const before = attempts;
      await page.clock.runFor(pause - 10);
      expect(attempts).toBe(before);
      await attempt(() => page.clock.runFor(10));
    }
  },
);

test(
  'restores a session that ended over unsaved input',
  { tag: ['@X06', '@X09'] },
  async ({ users, openBrowser, instance, expectMessage }) => {
    for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
    expectMessage(/AuthApiError|Invalid Refresh Token|The profile could not be loaded/);
    const user = await users.create();
    const name = unique('typed');
    const page = await openBrowser(user);
    // Their requests would open the dialog before the click.
    await holdRequests(page, /\/functions\/v1\//);
    await openAccounts(page);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('organization');
    await requestOk(instance, '/auth/v1/logout', { method: 'POST', token: user.session.access_token });
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Error creating account')).toContainText(
      'Your session has ended. Sign in again.',
    );
    await signInAgain(page);
    await expect(form.getByLabel('Account Name')).toHaveValue(name);
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(dialog(page)).toHaveCount(0);
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toHaveLength(1);
  },
);

test(
  'signs out in all tabs, and in again in all tabs',
  { tag: ['@X08', '@CON-11'] },
  async ({ users, openBrowser, instance, expectMessage }) => {
    // A request or a refresh of the other tab that is sent while the session ends.
    for (const status of [400, 401]) expectMessage(failedLoad(status));
    const user = await users.create({ fullName: 'Two Tabs' });
    const one = await openBrowser(user);
    await one.goto('/admin/notifications');
    await one.getByLabel('Sender Name').fill('Half typed');
    const two = await one.context().newPage();
    await two.goto('/admin/analytics');
    await expect(two.getByRole('button', { name: 'Two Tabs' })).toBeVisible();
    await signOut(one, 'Two Tabs');
    const question = one.getByRole('alertdialog', { name: 'Sign out now?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(one.getByLabel('Sender Name')).toHaveValue('Half typed');
    await signOut(one, 'Two Tabs');
    await question.getByRole('button', { name: 'Sign out' }).click();
    await expect(one.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await expect(two.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    // The user signed out in the other tab, so this is no error.
    const ended = toastWith(two, 'Your session has ended');
    await expect(ended).toBeVisible();
    await expect(ended).not.toHaveAttribute('data-variant', 'destructive');
    await one.getByLabel('Email').fill(user.email);
    await passwordField(one).fill(testPassword);
    await one.getByRole('button', { name: 'Sign In' }).click();
    await expect(one).toHaveURL(/\/admin\/accounts/);
    await expect(two).toHaveURL(/\/admin\//);
    expect(await readStoredSession(two, instance)).not.toBeNull();
  },
);

test.describe('return to the page', () => {
  test.use({ as: 'administrator' });

  test('keeps a changed form without a reload or a navigation', { tag: '@X09' }, async ({ page }) => {
    await openAccounts(page);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill('Half typed');
    await page.evaluate(() => {
      for (const hidden of [true, false]) {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
        Object.defineProperty(document, 'visibilityState', {
          value: hidden ? 'hidden' : 'visible',
          configurable: true,
        });
        document.dispatchEvent(new Event('visibilitychange'));
        window.dispatchEvent(new Event(hidden ? 'blur' : 'focus'));
      }
    });
    // Allows time for requests that the focus could cause. One request of the page is always pending.
    await page.waitForTimeout(1000);
    await expect(form.getByLabel('Account Name')).toHaveValue('Half typed');
    await expect(page).toHaveURL(/new=true/);
  });
});

test('redirects to the sign-in screen again on Back while it loads', async ({
  users,
  openBrowser,
  expectMessage,
}) => {
  // A request of the page that is sent while the other tab ends the session.
  expectMessage(failedLoad(401));
  const user = await users.create();
  const page = await openBrowser(user);
  await openAccounts(page);
  await page.getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByRole('heading', { name: 'Logs' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/admin/subtypes');
  const { release } = await holdRequests(page, /\/auth\?/);
  const leaving = page.waitForRequest(/\/auth\?/);
  await signOut(other, user.fullName);
  await leaving;
  // Playwright throws because Back canceled the navigation.
  await page.goBack({ waitUntil: 'commit' }).catch(() => null);
  release();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test(
  'redirects an ended session without input to the sign-in form once, with a return path',
  { tag: ['@C055', '@C233', '@I28'] },
  async ({ users, openBrowser, instance, expectMessage }) => {
    for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
    expectMessage(/AuthApiError|Invalid Refresh Token|The profile could not be loaded/);
    const user = await users.create();
    const page = await openBrowser(user);
    await page.goto('/admin/analytics');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await requestOk(instance, '/auth/v1/logout', { method: 'POST', token: user.session.access_token });
    await page.getByRole('link', { name: 'Notifications' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await page.getByLabel('Email').fill(user.email);
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page).toHaveURL(/\/admin\/notifications/);
    expect((await request(instance, '/auth/v1/user', { token: user.session.access_token })).status).toBe(403);
  },
);
