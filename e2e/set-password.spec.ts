/** /auth/set-password: the last step of an invitation or a reset. */
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from './support/console-fixtures.ts';
import { emailField, expectFieldError, isNoValidate, passwordField, requestsTo } from './support/forms.ts';
import { unique } from './support/api.ts';

const marker = 'needs_password_setup';
const newPassword = 'a new lantern 9';
const submit = 'Set Password & Continue';

test('C035 C036 C037 C043 the form, for the flag in the address', async ({ people, openBrowser }) => {
  const person = await people.make();
  const page = await openBrowser(person);
  await page.goto('/auth/set-password?setup=true');
  await expect(page.getByRole('heading', { name: 'Set Your Password', exact: true })).toBeVisible();
  await expect(passwordField(page)).toHaveAttribute('autocomplete', 'new-password');
  await expect(page.getByLabel('Confirm Password', { exact: true })).toHaveAttribute('type', 'password');
  await expect(page.getByRole('button', { name: submit, exact: true })).toBeVisible();
  await expect(page.getByText(person.email)).toBeVisible();
  // Each field has a look of its own.
  const show = page.getByRole('button', { name: 'Show password', exact: true });
  await expect(show).toHaveCount(2);
  await show.last().click();
  await expect(page.getByLabel('Confirm Password', { exact: true })).toHaveAttribute('type', 'text');
  await expect(passwordField(page)).toHaveAttribute('type', 'password');
});

test("whoever opened somebody else's link gets out again, without setting a password", async ({
  people,
  openBrowser,
}) => {
  const person = await people.make();
  const page = await openBrowser(person);
  await page.goto('/auth/set-password?setup=true');
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.goto('/admin/accounts');
  await expect(page).toHaveURL(/\/auth/);
});

test.describe('with a session', () => {
  test.use({ as: 'administrator' });

  test('C038 while the session is looked at, that is said, and no form shows', async ({ page }) => {
    const { release } = await holdRequests(page, /\/auth\/v1\/user/);
    await page.goto('/auth/set-password?setup=true');
    await expect(page.getByText('Validating your invitation...', { exact: true })).toBeVisible();
    await expect(passwordField(page)).toHaveCount(0);
    release();
    await expect(passwordField(page)).toBeVisible();
    await expect(page.getByText('Validating your invitation...')).toHaveCount(0);
  });

  test('C041 an outage while checking shows the same words, names it, and sends the user on', async ({
    page,
    expectMessage,
  }) => {
    expectMessage(failedLoad(500));
    await respondWith(
      page,
      /\/auth\/v1\/user/,
      500,
      { code: 'unexpected_failure', message: 'down', msg: 'down' },
      'GET',
    );
    await page.goto('/auth/set-password?setup=true');
    await expect(toastWith(page, 'Invalid or expired link')).toContainText(
      'Please request a new invitation.',
    );
    await expect(toastWith(page, 'Your session could not be checked')).toContainText('down');
    await expect(page).toHaveURL(/\/admin\/accounts$/);
  });

  test('C042 without flag and marker the accounts open', async ({ page }) => {
    await page.goto('/auth/set-password');
    await expect(page).toHaveURL(/\/admin\/accounts/);
  });

  test('C044 the marker alone keeps the form, also over a reload', async ({ page }) => {
    await page.goto('/admin/logs');
    await page.evaluate((key) => sessionStorage.setItem(key, 'true'), marker);
    await page.goto('/auth/set-password');
    await expect(passwordField(page)).toBeVisible();
    await page.reload();
    await expect(passwordField(page)).toBeVisible();
  });

  test('C205 C206 C221 too short and not repeated are refused at their fields', async ({ page }) => {
    const calls = requestsTo(page, /\/auth\/v1\/user/, 'PUT');
    await page.goto('/auth/set-password?setup=true');
    const confirmation = page.getByLabel('Confirm Password');
    await passwordField(page).fill('1234567');
    await confirmation.fill('1234567');
    await page.getByRole('button', { name: submit }).click();
    await expectFieldError(passwordField(page), 'Password must be at least 8 characters');
    await expect(passwordField(page)).toBeFocused();
    await passwordField(page).fill('12345678');
    await confirmation.fill('12345679');
    await confirmation.press('Enter');
    await expectFieldError(confirmation, "Passwords don't match");
    await expect(confirmation).toBeFocused();
    await expect(page.getByText('Password must be at least 8 characters')).toHaveCount(0);
    expect(await isNoValidate(confirmation)).toBe(true);
    expect(calls).toHaveLength(0);
  });

  test('C293 C295 a refused password says why and keeps the form', async ({ page, expectMessage }) => {
    expectMessage(failedLoad(422));
    const message = 'New password should be different from the old password.';
    await respondWith(page, /\/auth\/v1\/user/, 422, { code: 'same_password', message, msg: message }, 'PUT');
    await page.goto('/auth/set-password?setup=true');
    await passwordField(page).fill(newPassword);
    await page.getByLabel('Confirm Password').fill(newPassword);
    await page.getByRole('button', { name: submit }).click();
    const failure = toastWith(page, 'Error setting password');
    await expect(failure).toContainText(message);
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    await expect(passwordField(page)).toHaveValue(newPassword);
    await expect(page.getByRole('button', { name: submit })).toBeEnabled();
  });

  for (const [message, told] of [
    ['The browser refuses', 'The browser refuses'],
    ['', 'Failed to set password'],
  ] as const) {
    test(`C294 C295 a call that throws "${message}" is told as "${told}"`, async ({ page }) => {
      await page.goto('/auth/set-password?setup=true');
      await passwordField(page).fill(newPassword);
      await page.getByLabel('Confirm Password').fill(newPassword);
      // A failure of the browser itself, which the auth client hands on by throwing.
      await page.evaluate((text) => {
        Object.defineProperty(navigator.locks, 'request', { value: () => Promise.reject(new Error(text)) });
        Storage.prototype.getItem = () => {
          throw new Error(text);
        };
      }, message);
      await page.getByRole('button', { name: submit }).click();
      const failure = toastWith(page, /^Error(?! setting)/);
      await expect(failure).toContainText(told);
      await expect(failure).toHaveAttribute('data-variant', 'destructive');
    });
  }
});

test('C039 C040 CON-07 without a session both sentences show and the sign-in form opens', async ({
  page,
}) => {
  await page.goto('/auth/set-password?setup=true');
  await expect(toastWith(page, 'Invalid or expired link')).toContainText('Please request a new invitation.');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('C003 C045 C046 C047 C048 C236 setting the password opens the console, and it signs in afterwards', async ({
  page,
  people,
  openBrowser,
}) => {
  const email = `${unique('invited')}@example.org`;
  const tokenHash = await people.invite(email);
  await page.goto(`/auth/callback?setup=true&token_hash=${tokenHash}&type=invite`);
  await passwordField(page).fill('12345678');
  await page.getByLabel('Confirm Password').fill('12345678');
  const call = page.waitForRequest(
    (request) => request.url().includes('/auth/v1/user') && request.method() === 'PUT',
  );
  await passwordField(page).fill(newPassword);
  await page.getByLabel('Confirm Password').fill(newPassword);
  const lists = requestsTo(page, /\/auth\/v1\/user\/sign-in-methods$/);
  const steps = requestsTo(page, /keep-methods-step/);
  await page.getByRole('button', { name: submit }).click();
  const body = (await call).postDataJSON() as object;
  expect(body).toMatchObject({ password: newPassword });
  // Without other sign-in methods nothing is asked, and the code that would ask is not loaded.
  expect(body).not.toHaveProperty('keep_sign_in_methods');
  expect(lists).toHaveLength(1);
  expect(steps).toEqual([]);
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(toastWith(page, 'Password set successfully')).toContainText('Welcome to Lanternrock!');
  expect(await page.evaluate((key) => sessionStorage.getItem(key), marker)).toBeNull();

  const other = await openBrowser(null);
  await other.goto('/auth');
  await emailField(other).fill(email);
  await passwordField(other).fill(newPassword);
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other).toHaveURL(/\/admin\/accounts/);
});
