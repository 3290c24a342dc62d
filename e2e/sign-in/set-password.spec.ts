/** /auth/set-password: last step of an invitation or a password reset. */
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { emailField, expectFieldError, isNoValidate, passwordField, requestsTo } from '../support/forms.ts';
import { unique } from '../support/api.ts';

const marker = 'needs_password_setup';
const newPassword = 'a new lantern 9';
const submit = 'Set Password & Continue';

test(
  'shows the form for the flag in the URL',
  { tag: ['@C035', '@C036', '@C037', '@C043'] },
  async ({ users, openBrowser }) => {
    const user = await users.create();
    const page = await openBrowser(user);
    await page.goto('/auth/set-password?setup=true');
    await expect(page.getByRole('heading', { name: 'Set Your Password', exact: true })).toBeVisible();
    await expect(passwordField(page)).toHaveAttribute('autocomplete', 'new-password');
    await expect(page.getByLabel('Confirm Password', { exact: true })).toHaveAttribute('type', 'password');
    await expect(page.getByRole('button', { name: submit, exact: true })).toBeVisible();
    await expect(page.getByText(user.email)).toBeVisible();
    await expect(passwordField(page)).toHaveAccessibleDescription(
      /^At least 8 characters, and not a common password/,
    );
    // Each field has a separate visibility button.
    const show = page.getByRole('button', { name: 'Show password', exact: true });
    await expect(show).toHaveCount(2);
    await show.last().click();
    await expect(page.getByLabel('Confirm Password', { exact: true })).toHaveAttribute('type', 'text');
    await expect(passwordField(page)).toHaveAttribute('type', 'password');
  },
);

test('leaves a session that was revoked with its invitation, and says how to continue', async ({
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(failedLoad(403));
  const user = await users.create();
  const page = await openBrowser(user);
  await page.goto('/auth/set-password?setup=true');
  await respondWith(page, /\/auth\/v1\/user\/sign-in-methods/, 403, {
    code: 'session_not_found',
    msg: 'Session from session_id claim in JWT does not exist',
  });
  await passwordField(page).fill(newPassword);
  await page.getByLabel('Confirm Password').fill(newPassword);
  await page.getByRole('button', { name: submit }).click();
  await expect(toastWith(page, 'Error setting password')).toContainText(
    'This link no longer works: it was revoked or replaced by a newer one, or your session has ended.',
  );
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('signs out of the link of another user without setting a password', async ({ users, openBrowser }) => {
  const user = await users.create();
  const page = await openBrowser(user);
  await page.goto('/auth/set-password?setup=true');
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.goto('/admin/accounts');
  await expect(page).toHaveURL(/\/auth/);
});

test.describe('with a session', () => {
  test.use({ as: 'administrator' });

  test('shows a text and no form while it checks the session', { tag: '@C038' }, async ({ page }) => {
    const { release } = await holdRequests(page, /\/auth\/v1\/user/);
    await page.goto('/auth/set-password?setup=true');
    await expect(page.getByText('Validating your invitation...', { exact: true })).toBeVisible();
    await expect(passwordField(page)).toHaveCount(0);
    release();
    await expect(passwordField(page)).toBeVisible();
    await expect(page.getByText('Validating your invitation...')).toHaveCount(0);
  });

  test(
    'shows the invalid-link toast and the outage, and redirects the user',
    { tag: '@C041' },
    async ({ page, expectMessage }) => {
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
    },
  );

  test('opens the accounts without flag and marker', { tag: '@C042' }, async ({ page }) => {
    await page.goto('/auth/set-password');
    await expect(page).toHaveURL(/\/admin\/accounts/);
  });

  test('shows the form with the marker only, also after a reload', { tag: '@C044' }, async ({ page }) => {
    await page.goto('/admin/logs');
    await page.evaluate((key) => sessionStorage.setItem(key, 'true'), marker);
    await page.goto('/auth/set-password');
    await expect(passwordField(page)).toBeVisible();
    await page.reload();
    await expect(passwordField(page)).toBeVisible();
  });

  test(
    'shows errors at their fields for a short and an unequal password',
    { tag: ['@C205', '@C206', '@C221'] },
    async ({ page }) => {
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
    },
  );

  test(
    'shows the reason of a rejected password and keeps the form',
    { tag: ['@C293', '@C295'] },
    async ({ page, expectMessage }) => {
      expectMessage(failedLoad(422));
      const message = 'New password should be different from the old password.';
      await respondWith(
        page,
        /\/auth\/v1\/user/,
        422,
        { code: 'same_password', message, msg: message },
        'PUT',
      );
      await page.goto('/auth/set-password?setup=true');
      await passwordField(page).fill(newPassword);
      await page.getByLabel('Confirm Password').fill(newPassword);
      await page.getByRole('button', { name: submit }).click();
      const failure = toastWith(page, 'Error setting password');
      await expect(failure).toContainText(message);
      await expect(failure).toHaveAttribute('data-variant', 'destructive');
      await expect(passwordField(page)).toHaveValue(newPassword);
      await expect(page.getByRole('button', { name: submit })).toBeEnabled();
    },
  );

  for (const [message, description] of [
    ['The browser rejects', 'The browser rejects'],
    ['', 'Failed to set password'],
  ] as const) {
    test(
      `a call that throws "${message}" shows "${description}"`,
      { tag: ['@C294', '@C295'] },
      async ({ page }) => {
        await page.goto('/auth/set-password?setup=true');
        await passwordField(page).fill(newPassword);
        await page.getByLabel('Confirm Password').fill(newPassword);
        // An error of the browser, which the auth client throws.
        await page.evaluate((text) => {
          Object.defineProperty(navigator.locks, 'request', { value: () => Promise.reject(new Error(text)) });
          Storage.prototype.getItem = () => {
            throw new Error(text);
          };
        }, message);
        await page.getByRole('button', { name: submit }).click();
        const failure = toastWith(page, /^Error(?! setting)/);
        await expect(failure).toContainText(description);
        await expect(failure).toHaveAttribute('data-variant', 'destructive');
      },
    );
  }
});

test(
  'shows the invalid-link toast without a session and opens the sign-in form',
  { tag: ['@C039', '@C040', '@CON-07'] },
  async ({ page }) => {
    await page.goto('/auth/set-password?setup=true');
    await expect(toastWith(page, 'Invalid or expired link')).toContainText(
      'Please request a new invitation.',
    );
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  },
);

test(
  'sets the password, opens the console, and signs in with the password',
  { tag: ['@C003', '@C045', '@C046', '@C047', '@C048', '@C236'] },
  async ({ page, users, openBrowser }) => {
    const email = `${unique('invited')}@example.org`;
    const tokenHash = await users.invite(email);
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
    // Without other sign-in methods the console skips the choice and does not load its code.
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
  },
);
