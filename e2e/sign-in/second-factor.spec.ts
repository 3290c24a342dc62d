/** Sign-in and links with a second factor. */
import type { Page } from '@playwright/test';
import {
  expect,
  failedLoad,
  holdRequests,
  respondWith,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { emailField, expectFieldError, passwordField, requestsTo } from '../support/forms.ts';
import { emailedLink, newSession, storageKey, testPassword, type StoredSession } from '../support/users.ts';
import { request, deleteRows, requestOk } from '../support/api.ts';
import type { Instance } from '../support/fixtures.ts';
import { elevate, enroll, nextCode } from '../support/second-factor.ts';
import { isClockAhead } from '../support/page-conditions.ts';

const readAssuranceLevel = (accessToken: string): unknown =>
  (JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { aal?: unknown }).aal;

test('asks for the second factor if the stored session is older than it, and continues with the code', async ({
  users,
  instance,
  openBrowser,
  expectMessage,
}) => {
  test.skip(
    isClockAhead,
    'The page refreshes the session, and its refresh token is older than the second factor.',
  );
  expectMessage(/status of 40[013]|The profile could not be loaded/);
  const user = await users.create();
  const { totp } = await enroll(instance, user);
  // For example after a crash of the browser, which had not yet stored the elevated session.
  const page = await openBrowser(user);
  let documents = 0;
  page.on('load', () => (documents += 1));
  await page.goto('/admin/accounts');
  await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
  await expect(page).toHaveURL(/\/auth(\?|$)/);
  expect(documents).toBeLessThanOrEqual(3);
  await page.getByRole('textbox', { name: /code/i }).fill(nextCode(totp));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('opens the console after the only second factor was removed elsewhere during the sign-in', async ({
  page,
  users,
  instance,
}) => {
  const user = await users.create();
  const { factorId, token } = await enroll(instance, user);
  await page.goto('/auth');
  await emailField(page).fill(user.email);
  await passwordField(page).fill(testPassword);
  await passwordField(page).press('Enter');
  await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
  await requestOk(instance, `/auth/v1/factors/${factorId}`, { token, method: 'DELETE' });
  let documents = 0;
  page.on('load', () => (documents += 1));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  expect(documents).toBeLessThanOrEqual(2);
});

test('asks for the other second factor after the one of the session was removed elsewhere', async ({
  users,
  instance,
  openBrowser,
  expectMessage,
}) => {
  test.skip(isClockAhead, 'The page refreshes the session before a request is rejected.');
  expectMessage(/status of 40[013]|The profile could not be loaded/);
  const user = await users.create();
  const first = await enroll(instance, user);
  const page = await openBrowser({ ...user, session: first.session });
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();

  const signedIn = await newSession(instance, user.email);
  const elsewhere = await elevate(instance, signedIn.access_token, first.factorId, nextCode(first.totp));
  const second = await enroll(instance, { ...user, session: elsewhere }, 'New phone');
  const path = `/auth/v1/factors/${first.factorId}`;
  await requestOk(instance, path, { token: second.token, method: 'DELETE' });

  let documents = 0;
  page.on('load', () => (documents += 1));
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
  await page.getByRole('textbox', { name: /code/i }).fill(nextCode(second.totp));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  expect(documents).toBeLessThanOrEqual(2);
});

test(
  'requires the code on /auth before any screen opens',
  { tag: ['@C184', '@C185', '@C186', '@I17'] },
  async ({ page, users, instance, expectMessage }) => {
    for (const status of [400, 403, 422]) expectMessage(failedLoad(status));
    const user = await users.create();
    expect(readAssuranceLevel(user.session.access_token)).toBe('aal1');
    const { totp } = await enroll(instance, user);
    await page.goto('/auth');
    await emailField(page).fill(user.email);
    await passwordField(page).fill('not this one');
    await passwordField(page).press('Enter');
    await expect(toastWith(page, 'Sign in failed')).toBeVisible();
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    const code = page.getByRole('textbox', { name: /code/i });
    await expect(code).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(toastWith(page, 'Welcome back!')).toHaveCount(0);
    await expect(toastWith(page, 'Sign in failed')).toHaveCount(0);

    const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(instance));
    const aal1Token = (JSON.parse(stored ?? '{}') as { access_token: string }).access_token;
    const rejected = await request(instance, '/rest/v1/accounts?select=id', { token: aal1Token });
    expect(rejected).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } });
    await page.goto('/admin/accounts');
    await expect(page).toHaveURL(/\/auth/);

    await code.fill('000000');
    await code.press('Enter');
    await expectFieldError(code, 'This code is incorrect or was already used. Enter a new code.');
    await expect(page).toHaveURL(/\/auth/);
    await code.fill(nextCode(totp));
    await code.press('Enter');
    await expect(page).toHaveURL(/\/admin\/accounts/);
    await expect(toastWith(page, 'Welcome back!')).toBeVisible();
    const full = await page.evaluate((key) => localStorage.getItem(key), storageKey(instance));
    expect(readAssuranceLevel((JSON.parse(full ?? '{}') as { access_token: string }).access_token)).toBe(
      'aal2',
    );
  },
);

test('cancels a sign-in at the second factor', { tag: '@C069' }, async ({ page, users, instance }) => {
  const user = await users.create();
  const { totp } = await enroll(instance, user);
  await page.goto('/auth');
  await emailField(page).fill(user.email);
  await passwordField(page).fill(testPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const verification = await holdRequests(page, /\/factors\/[^/]+\/verify$/);
  await page.getByRole('textbox', { name: /code/i }).fill(nextCode(totp));
  await Promise.all([page.waitForRequest(/\/verify$/), page.keyboard.press('Enter')]);
  await page.getByRole('button', { name: 'Use another account' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await emailField(page).fill('other@example.org');
  // Its response would bring back the session that the user has left.
  verification.release();
  await page.evaluate(() => fetch('/health'));
  expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(instance))).toBeNull();
  await expect(emailField(page)).toHaveValue('other@example.org');
  await expect(toastWith(page, 'Welcome back!')).toHaveCount(0);
});

test('has a way out of the dialog for a required second factor over unsaved input', async ({
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(failedLoad(403));
  const page = await openBrowser(await users.create());
  await page.goto('/admin/accounts?new=true');
  const form = page.getByRole('dialog', { name: 'Add New Account' });
  await form.getByLabel('Account Name').fill('Half typed');
  await form.getByLabel('Type').selectOption('organization');
  await respondWith(page, /\/rest\/v1\/accounts/, 403, { code: 'insufficient_aal', message: 'No.' }, 'POST');
  await form.getByRole('button', { name: 'Create Account' }).click();
  const question = page.getByRole('dialog', { name: "Confirm it's you" });
  await question.getByRole('button', { name: 'Leave this page' }).click();
  await expect(page).toHaveURL(/\/auth/);
});

test('shows the way out together with the form, which would move it', async ({ page, users, instance }) => {
  const user = await users.create();
  await enroll(instance, user);
  await page.goto('/auth');
  await emailField(page).fill(user.email);
  await passwordField(page).fill(testPassword);
  const factors = await holdRequests(page, /\/auth\/v1\/user$/);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
  const wayOut = page.getByRole('button', { name: 'Use another account' });
  await expect(wayOut).toHaveCount(0);
  factors.release();
  await expect(page.getByRole('textbox', { name: /code/i })).toBeVisible();
  await expect(wayOut).toBeVisible();
});

test.describe('link to set a password', () => {
  const newPassword = 'a new lantern 9';
  const codeField = (page: Page) => page.getByRole('textbox', { name: /code/i });
  const stored = (page: Page, instance: Instance) =>
    page.evaluate((key) => localStorage.getItem(key), storageKey(instance));

  const setPassword = async (page: Page): Promise<void> => {
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    await passwordField(page).fill(newPassword);
    await page.getByLabel('Confirm Password').fill(newPassword);
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts/);
    await expect(toastWith(page, 'Password set successfully')).toBeVisible();
  };

  const openLink = async (page: Page, link: URL): Promise<void> => {
    await page.goto(link.pathname + link.search);
    await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
    await expect(page).toHaveURL(/\/auth\/set-password/);
  };

  test('of an invitation requires the code of the app first', async ({
    page,
    users,
    instance,
    expectMessage,
  }) => {
    expectMessage(failedLoad(422));
    const user = await users.create();
    const { totp } = await enroll(instance, user);
    await deleteRows(instance, 'user_roles', `user_id=eq.${user.id}`);
    const { session } = await users.administrator();
    const body = { email: user.email, full_name: user.fullName };
    await requestOk(instance, '/functions/v1/send-user-invitation', { body, token: session.access_token });
    const changes = requestsTo(page, /\/auth\/v1\/user/, 'PUT');
    await openLink(page, await emailedLink(instance, user.email, 'invite', 1));
    await expect(page.getByText(user.email)).toBeVisible();
    await codeField(page).fill('000000');
    await codeField(page).press('Enter');
    await expectFieldError(codeField(page), 'This code is incorrect or was already used. Enter a new code.');
    await expect(passwordField(page)).toHaveCount(0);
    await expect(page.getByText('contact the operator of this service')).toBeVisible();
    await codeField(page).fill(nextCode(totp));
    await codeField(page).press('Enter');
    await setPassword(page);
    expect(changes).toHaveLength(1);
    // The factor remains, so the new password gives an AAL1 session only.
    const grant = { email: user.email, password: newPassword };
    const path = '/auth/v1/token?grant_type=password';
    const aal1Session = (await requestOk(instance, path, { body: grant })) as StoredSession;
    expect(readAssuranceLevel(aal1Session.access_token)).toBe('aal1');
    const rows = await request(instance, '/rest/v1/accounts?select=id', { token: aal1Session.access_token });
    expect(rows).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } });
  });

  test('of a reset accepts a recovery code and can be canceled', async ({ page, users, instance }) => {
    const user = await users.create();
    const { token } = await enroll(instance, user);
    const { codes } = (await requestOk(instance, '/auth/v1/factors/recovery-codes', { token, body: {} })) as {
      codes: string[];
    };
    await requestOk(instance, '/auth/v1/recover', { body: { email: user.email } });
    const link = await emailedLink(instance, user.email, 'recovery');
    await openLink(page, link);
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(await stored(page, instance)).toBeNull();
    expect(await page.evaluate(() => sessionStorage.getItem('needs_password_setup'))).toBeNull();
    const unchanged = { email: user.email, password: testPassword };
    await requestOk(instance, '/auth/v1/token?grant_type=password', { body: unchanged });

    await openLink(page, link);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await codeField(page).fill(codes[0] ?? '');
    await codeField(page).press('Enter');
    await setPassword(page);
    const changed = { email: user.email, password: newPassword };
    expect((await request(instance, '/auth/v1/token?grant_type=password', { body: changed })).status).toBe(
      200,
    );
  });

  test('requires a second factor that was added while the form was open', async ({
    page,
    users,
    instance,
    expectMessage,
  }) => {
    expectMessage(failedLoad(401));
    const user = await users.create();
    await requestOk(instance, '/auth/v1/recover', { body: { email: user.email } });
    const link = await emailedLink(instance, user.email, 'recovery');
    await page.goto(link.pathname + link.search);
    await passwordField(page).fill(newPassword);
    await page.getByLabel('Confirm Password').fill(newPassword);
    // Verifying the first factor revokes other AAL1 sessions, but the test needs this one.
    await respondWith(page, /\/auth\/v1\/user\/sign-in-methods$/, 401, rejection);
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(toastWith(page, 'Error setting password')).toContainText(rejection.msg);
    await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Back to sign in' })).toBeVisible();
    expect(await stored(page, instance), 'the session stays').not.toBeNull();
  });
});

const rejection = {
  code: 401,
  error_code: 'insufficient_aal',
  msg: 'AAL2 session is required to update email or password when MFA is enabled.',
};
