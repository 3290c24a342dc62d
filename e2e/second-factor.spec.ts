/** Signing in with a second factor: the console stays closed until the code is right. */
import type { Page } from '@playwright/test';
import { respondWith, expect, failedLoad, test, toastWith } from './support/console-fixtures.ts';
import { emailField, expectFieldError, passwordField, requestsTo } from './support/forms.ts';
import { emailedLink, secret, storageKey, type StoredSession } from './support/users.ts';
import { request, deleteRows, requestOk } from './support/api.ts';
import type { Product } from './support/fixtures.ts';
import { enroll, nextCode } from './support/second-factor.ts';

const levelOf = (accessToken: string): unknown =>
  (JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { aal?: unknown }).aal;

test('C184 C185 C186 [I17] the code is asked for on /auth, before anything opens', async ({
  page,
  people,
  product,
  expectMessage,
}) => {
  for (const status of [400, 403, 422]) expectMessage(failedLoad(status));
  const person = await people.make();
  expect(levelOf(person.session.access_token)).toBe('aal1');
  const { totp } = await enroll(product, person);
  await page.goto('/auth');
  await emailField(page).fill(person.email);
  await passwordField(page).fill('not this one');
  await passwordField(page).press('Enter');
  await expect(toastWith(page, 'Sign in failed')).toBeVisible();
  await passwordField(page).fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const code = page.getByRole('textbox', { name: /code/i });
  await expect(code).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(toastWith(page, 'Welcome back!')).toHaveCount(0);
  await expect(toastWith(page, 'Sign in failed')).toHaveCount(0);

  const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(product));
  const half = (JSON.parse(stored ?? '{}') as { access_token: string }).access_token;
  const refused = await request(product, '/rest/v1/accounts?select=id', { token: half });
  expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } });
  await page.goto('/admin/accounts');
  await expect(page).toHaveURL(/\/auth/);

  await code.fill('000000');
  await code.press('Enter');
  await expectFieldError(
    code,
    'This code is incorrect or was already used. Wait for the next code and try again.',
  );
  await expect(page).toHaveURL(/\/auth/);
  await code.fill(nextCode(totp));
  await code.press('Enter');
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(toastWith(page, 'Welcome back!')).toBeVisible();
  const full = await page.evaluate((key) => localStorage.getItem(key), storageKey(product));
  expect(levelOf((JSON.parse(full ?? '{}') as { access_token: string }).access_token)).toBe('aal2');
});

test('C069 the half-finished sign-in can be given up', async ({ page, people, product }) => {
  const person = await people.make();
  await enroll(product, person);
  await page.goto('/auth');
  await emailField(page).fill(person.email);
  await passwordField(page).fill(secret);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('button', { name: 'Use another account' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(product))).toBeNull();
});

test.describe('a link that sets a password', () => {
  const newPassword = 'a new lantern 9';
  const codeField = (page: Page) => page.getByRole('textbox', { name: /code/i });
  const stored = (page: Page, product: Product) =>
    page.evaluate((key) => localStorage.getItem(key), storageKey(product));

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

  test('of an invitation asks for the app code first', async ({ page, people, product, expectMessage }) => {
    expectMessage(failedLoad(422));
    const person = await people.make();
    const { totp } = await enroll(product, person);
    await deleteRows(product, 'user_roles', `user_id=eq.${person.id}`);
    const { session } = await people.administrator();
    const body = { email: person.email, full_name: person.fullName };
    await requestOk(product, '/functions/v1/send-user-invitation', { body, token: session.access_token });
    const changes = requestsTo(page, /\/auth\/v1\/user/, 'PUT');
    await openLink(page, await emailedLink(product, person.email, 'invite', 1));
    await expect(page.getByText(person.email)).toBeVisible();
    await codeField(page).fill('000000');
    await codeField(page).press('Enter');
    await expectFieldError(
      codeField(page),
      'This code is incorrect or was already used. Wait for the next code and try again.',
    );
    await expect(passwordField(page)).toHaveCount(0);
    await expect(page.getByText('lanternrock admins reset-factors EMAIL')).toBeVisible();
    await expect(page.getByText('Another administrator can remove it on the Admins screen.')).toBeVisible();
    await codeField(page).fill(nextCode(totp));
    await codeField(page).press('Enter');
    await setPassword(page);
    expect(changes).toHaveLength(1);
    // The factor stays: the new password alone is half a sign-in.
    const grant = { email: person.email, password: newPassword };
    const path = '/auth/v1/token?grant_type=password';
    const half = (await requestOk(product, path, { body: grant })) as StoredSession;
    expect(levelOf(half.access_token)).toBe('aal1');
    const rows = await request(product, '/rest/v1/accounts?select=id', { token: half.access_token });
    expect(rows).toMatchObject({ status: 403, body: { code: 'insufficient_aal' } });
  });

  test('of a reset takes a recovery code, and can be left', async ({ page, people, product }) => {
    const person = await people.make();
    const { token } = await enroll(product, person);
    const { codes } = (await requestOk(product, '/auth/v1/factors/recovery-codes', { token, body: {} })) as {
      codes: string[];
    };
    await requestOk(product, '/auth/v1/recover', { body: { email: person.email } });
    const link = await emailedLink(product, person.email, 'recovery');
    await openLink(page, link);
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(await stored(page, product)).toBeNull();
    expect(await page.evaluate(() => sessionStorage.getItem('needs_password_setup'))).toBeNull();
    const unchanged = { email: person.email, password: secret };
    await requestOk(product, '/auth/v1/token?grant_type=password', { body: unchanged });

    await openLink(page, link);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await codeField(page).fill(codes[0] ?? '');
    await codeField(page).press('Enter');
    await setPassword(page);
    const changed = { email: person.email, password: newPassword };
    expect((await request(product, '/auth/v1/token?grant_type=password', { body: changed })).status).toBe(
      200,
    );
  });

  test('asks when a second step was set up while the form was open', async ({
    page,
    people,
    product,
    expectMessage,
  }) => {
    expectMessage(failedLoad(401));
    const person = await people.make();
    await requestOk(product, '/auth/v1/recover', { body: { email: person.email } });
    const link = await emailedLink(product, person.email, 'recovery');
    await page.goto(link.pathname + link.search);
    await passwordField(page).fill(newPassword);
    await page.getByLabel('Confirm Password').fill(newPassword);
    // Verifying a first factor ends the other sessions below the new level; this one has to outlive it.
    await respondWith(page, /\/auth\/v1\/user\/sign-in-methods$/, 401, refusal);
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(toastWith(page, 'Error setting password')).toContainText(refusal.msg);
    await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Back to sign in' })).toBeVisible();
    expect(await stored(page, product), 'the session stays').not.toBeNull();
  });
});

const refusal = {
  code: 401,
  error_code: 'insufficient_aal',
  msg: 'AAL2 session is required to update email or password when MFA is enabled.',
};
