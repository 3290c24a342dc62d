/** How a session lives, is renewed, shared between tabs, lost and ended. */
import type { Page } from '@playwright/test';
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from './support/console-fixtures.ts';
import { dialog, openAccounts, openDialog } from './support/accounts-page.ts';
import { passwordField, signInAgain } from './support/forms.ts';
import { newSession, type TestUser, secret, storageKey } from './support/users.ts';
import { request, requestOk, listRows, unique } from './support/api.ts';
import type { Product } from './support/fixtures.ts';

const refresh = /grant_type=refresh_token/;
const logout = /\/auth\/v1\/logout/;

const storedIn = (page: Page, product: Product): Promise<string | null> =>
  page.evaluate((key) => localStorage.getItem(key), storageKey(product));
/** The same person with an access token whose time is over. */
const expired = (person: TestUser): TestUser => ({
  ...person,
  session: { ...person.session, expires_at: Math.floor(Date.now() / 1000) - 60 },
});
const signOut = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
};

test("C170 C181 C308 the session lies in local storage under the host's name and survives a reload", async ({
  page,
  people,
  product,
}) => {
  const { email } = await people.plain();
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await passwordField(page).fill(secret);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/admin\/accounts/);
  const host = new URL(product.url).hostname.split('.')[0] ?? '';
  const keys = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.endsWith('-auth-token')),
  );
  expect(keys).toEqual([`sb-${host}-auth-token`]);
  expect(JSON.parse((await storedIn(page, product)) ?? '{}')).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: expect.any(Number),
    expires_in: expect.any(Number),
    user: { email, identities: expect.any(Array) },
  });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('C171 CON-09 a stored session without one of its three parts is none', async ({
  people,
  openBrowser,
  product,
}) => {
  const person = await people.plain();
  for (const part of ['access_token', 'refresh_token', 'expires_at'] as const) {
    const { [part]: _left, ...session } = person.session;
    const page = await openBrowser({ ...person, session: session as TestUser['session'] });
    await page.goto('/admin/accounts');
    await expect(page).toHaveURL(/\/auth/);
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(await storedIn(page, product)).toBeNull();
    await page.context().close();
  }
});

test('C182 C238 a session about to end is renewed without anybody asking', async ({
  people,
  openBrowser,
  product,
}) => {
  const person = await people.make();
  const soon = { ...person.session, expires_at: Math.floor(Date.now() / 1000) + 20 };
  const page = await openBrowser({ ...person, session: soon });
  const renewed = page.waitForResponse(refresh);
  await page.goto('/admin/accounts');
  expect((await renewed).request().postDataJSON()).toMatchObject({
    refresh_token: person.session.refresh_token,
  });
  await expect.poll(() => storedIn(page, product)).not.toContain(person.session.access_token);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('C187 C233 signing out the others keeps this browser and ends theirs', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  expectMessage(failedLoad(401));
  expectMessage(failedLoad(400));
  expectMessage(failedLoad(403));
  expectMessage(/The profile could not be read/);
  const person = await people.make({ fullName: 'Two Browsers' });
  const second = { ...person, session: await newSession(product, person.email) };
  const [here, there] = [await openBrowser(person), await openBrowser(second)];
  await openAccounts(here);
  await openAccounts(there);
  await requestOk(product, '/auth/v1/logout?scope=others', {
    method: 'POST',
    token: person.session.access_token,
  });
  await here.reload();
  await expect(here.getByText(/^Page 1 of 1/)).toBeVisible();
  await there.reload();
  await expect(there.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await storedIn(there, product)).toBeNull();
});

test('C069 C188 CON-11 signing out removes session and code verifier', async ({
  people,
  openBrowser,
  product,
}) => {
  const person = await people.make({ fullName: 'Verifier Gone' });
  const page = await openBrowser(person);
  await page.goto('/admin/logs');
  await page.evaluate(
    (key) => localStorage.setItem(`${key}-code-verifier`, '"left behind"'),
    storageKey(product),
  );
  await signOut(page, 'Verifier Gone');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('sb-')))).toEqual(
    [],
  );
});

test('C189 the answers 404, 401 and 403 on sign-out count as done', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  for (const status of [404, 401, 403]) {
    expectMessage(failedLoad(status));
    const page = await openBrowser(await people.plain());
    await respondWith(page, logout, status, { code: 'session_not_found', message: 'gone', msg: 'gone' });
    await page.goto('/admin/logs');
    await signOut(page, 'Pat Plain');
    await expect(page).toHaveURL(/\/auth$/);
    await expect(toastWith(page, 'Signed out')).toBeVisible();
    expect(await storedIn(page, product)).toBeNull();
  }
});

test('C274 C295 a failed sign-out says why and leaves this browser all the same', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  expectMessage(failedLoad(500));
  const page = await openBrowser(await people.plain());
  const message = 'The service is resting';
  await respondWith(page, logout, 500, { code: 'unexpected_failure', message, msg: message });
  await page.goto('/admin/logs');
  await signOut(page, 'Pat Plain');
  await expect(page).toHaveURL(/\/auth$/);
  const failure = toastWith(page, 'Sign out failed');
  await expect(failure).toContainText(message);
  await expect(failure).toHaveAttribute('data-variant', 'destructive');
  expect(await storedIn(page, product)).toBeNull();
});

test('offline a sign-out says why, and nothing changes', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  expectMessage(/ERR_INTERNET_DISCONNECTED/);
  const page = await openBrowser(await people.plain());
  await page.goto('/admin/logs');
  // The menu's code is loaded when it opens.
  await page.getByRole('button', { name: 'Pat Plain' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.context().setOffline(true);
  await signOut(page, 'Pat Plain');
  await expect(toastWith(page, 'Sign out failed')).toContainText('You are offline.');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  expect(await storedIn(page, product)).not.toBeNull();
  await page.context().setOffline(false);
  await signOut(page, 'Pat Plain');
  await expect(page).toHaveURL(/\/auth$/);
});

test('C190 a refresh that is refused with 400 or 401 removes the session', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  expectMessage(/AuthApiError|Invalid Refresh Token/);
  for (const [status, code] of [
    [400, 'refresh_token_not_found'],
    [401, 'session_expired'],
  ] as const) {
    expectMessage(failedLoad(status));
    const page = await openBrowser(expired(await people.plain()));
    const message = 'Invalid Refresh Token';
    await respondWith(page, refresh, status, { code, message, msg: message });
    await page.goto('/admin/accounts');
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(await storedIn(page, product)).toBeNull();
  }
});

test('C191 X10 REL-13 without an answer the session stays, and after ten seconds a Retry shows', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource/);
  expectMessage(/AuthRetryableFetchError|Failed to fetch/);
  const person = expired(await people.make());
  const page = await openBrowser(person);
  await page.clock.install();
  await page.route(refresh, (route) => route.abort('failed'));
  await page.goto('/admin/accounts');
  await page.clock.runFor(11_000);
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  expect(await storedIn(page, product)).toContain(person.session.refresh_token);
  await page.unroute(refresh);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.clock.runFor(40_000);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('X10 when nobody answers at all, a readable error with Retry ends the waiting', async ({
  people,
  openBrowser,
}) => {
  const page = await openBrowser(expired(await people.plain()));
  await page.clock.install();
  const { release } = await holdRequests(page, /\/auth\/v1\//);
  const asked = page.waitForRequest(refresh);
  await page.goto('/auth');
  await asked;
  await page.clock.runFor(11_000);
  await expect(page.getByText('Your session could not be checked')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  release();
});

test('C307 a refresh is tried again after 200 ms, then after twice as long', async ({
  people,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource/);
  expectMessage(/AuthRetryableFetchError|Failed to fetch/);
  const page = await openBrowser(expired(await people.plain()));
  // Time stands still, so that each pause is counted out and not measured.
  await page.clock.install({ time: Date.now() });
  let tries = 0;
  await page.route(refresh, (route) => {
    tries += 1;
    return route.abort('failed');
  });
  await page.goto('/auth');
  await page.clock.pauseAt(Date.now() + 10_000);
  await expect.poll(() => tries).toBeGreaterThan(0);
  for (const pause of [200, 400, 800]) {
    const before = tries;
    await page.clock.runFor(pause - 10);
    expect(tries).toBe(before);
    await page.clock.runFor(10);
    await expect.poll(() => tries).toBe(before + 1);
  }
});

test('X06 X09 a session lost over typed input is renewed in place', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  expectMessage(/AuthApiError|Invalid Refresh Token|The profile could not be read/);
  const person = await people.make();
  const name = unique('typed');
  const page = await openBrowser(person);
  await openAccounts(page);
  const form = await openDialog(page);
  await form.getByLabel('Account Name').fill(name);
  await form.getByLabel('Type').selectOption('organization');
  await requestOk(product, '/auth/v1/logout', { method: 'POST', token: person.session.access_token });
  await form.getByRole('button', { name: 'Create Account' }).click();
  await expect(toastWith(page, 'Error creating account')).toContainText(
    'Your session has ended. Sign in again.',
  );
  await signInAgain(page);
  await expect(form.getByLabel('Account Name')).toHaveValue(name);
  await form.getByRole('button', { name: 'Create Account' }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(await listRows(product, 'accounts', `name=eq.${name}`)).toHaveLength(1);
});

test('X08 CON-11 signing out in one tab reaches the other, signing in wakes it', async ({
  people,
  openBrowser,
  product,
}) => {
  const person = await people.make({ fullName: 'Two Tabs' });
  const one = await openBrowser(person);
  await one.goto('/admin/logs');
  const two = await one.context().newPage();
  await two.goto('/admin/analytics');
  await expect(two.getByRole('button', { name: 'Two Tabs' })).toBeVisible();
  await signOut(one, 'Two Tabs');
  await expect(one.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(two.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await one.getByLabel('Email').fill(person.email);
  await passwordField(one).fill(secret);
  await one.getByRole('button', { name: 'Sign In' }).click();
  await expect(one).toHaveURL(/\/admin\/accounts/);
  await expect(two).toHaveURL(/\/admin\//);
  expect(await storedIn(two, product)).not.toBeNull();
});

test.describe('coming back', () => {
  test.use({ as: 'administrator' });

  test('X09 to a tab neither reloads a changed form nor navigates', async ({ page }) => {
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
    // Long enough for whatever coming back might set off; one request of the page is always held.
    await page.waitForTimeout(1000);
    await expect(form.getByLabel('Account Name')).toHaveValue('Half typed');
    await expect(page).toHaveURL(/new=true/);
  });
});

test('Back while the sign-in screen is loading after the end of a session leads to it again', async ({
  people,
  openBrowser,
}) => {
  const person = await people.make();
  const page = await openBrowser(person);
  await openAccounts(page);
  await page.getByRole('link', { name: 'Logs' }).click();
  await expect(page.getByRole('heading', { name: 'Logs' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/admin/subtypes');
  const { release } = await holdRequests(page, /\/auth\?/);
  const leaving = page.waitForRequest(/\/auth\?/);
  await signOut(other, person.fullName);
  await leaving;
  // Playwright reports that Back has canceled the navigation.
  await page.goBack({ waitUntil: 'commit' }).catch(() => null);
  release();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('C055 C233 [I28] a lost session without input goes to the form once, with a way back', async ({
  people,
  openBrowser,
  product,
  expectMessage,
}) => {
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  expectMessage(/AuthApiError|Invalid Refresh Token|The profile could not be read/);
  const person = await people.make();
  const page = await openBrowser(person);
  await page.goto('/admin/analytics');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await requestOk(product, '/auth/v1/logout', { method: 'POST', token: person.session.access_token });
  await page.getByRole('link', { name: 'Notifications' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.getByLabel('Email').fill(person.email);
  await passwordField(page).fill(secret);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/admin\/notifications/);
  expect((await request(product, '/auth/v1/user', { token: person.session.access_token })).status).toBe(403);
});
