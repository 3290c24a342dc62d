/** Name and password on the Security screen, and the states of the screen. */
import type { Page } from '@playwright/test';
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { expectFieldError } from '../support/forms.ts';
import { emailedCode, newSession, type TestUsers, type TestUser, testPassword } from '../support/users.ts';
import { request as sendRequest, requestOk, listRows } from '../support/api.ts';
import {
  itemsIn,
  openSecurity,
  section,
  acceptSuggestedName,
  secondFactorsTitle,
} from '../support/security-page.ts';

test.describe('name and password', () => {
  const openAsNewUser = async (users: TestUsers, openBrowser: (user: TestUser) => Promise<Page>) => {
    const created = await users.create({ fullName: 'Nat Name' });
    const page = await openBrowser(created);
    await openSecurity(page);
    return { page, created };
  };

  test(
    'changes the name by keyboard and shows it in the footer immediately',
    { tag: '@I6' },
    async ({ users, openBrowser, instance }) => {
      const { page, created } = await openAsNewUser(users, openBrowser);
      const footer = page.getByRole('complementary');
      const change = section(page, 'Profile').getByRole('button', { name: 'Change name' });
      await change.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Change your name' });
      const name = dialog.getByLabel('Name');
      await expect(name).toBeFocused();
      await expect(name).toHaveValue('Nat Name');
      await name.fill(' N ');
      await page.keyboard.press('Enter');
      await expectFieldError(name, 'Full name must be at least 2 characters');
      await expect(name).toBeFocused();
      await name.fill('  Nora New ');
      await page.keyboard.press('Enter');
      await expect(toastWith(page, 'Name changed')).toContainText('Your name is now Nora New.');
      await expect(change).toBeFocused();
      await expect(section(page, 'Profile')).toContainText('Nora New');
      await expect(footer.getByRole('button', { name: 'Nora New' })).toBeVisible();
      expect(await listRows(instance, 'profiles', `select=full_name&id=eq.${created.id}`)).toEqual([
        { full_name: 'Nora New' },
      ]);
    },
  );

  test(
    'changes the password by keyboard, shows errors at their fields and revokes other sessions',
    { tag: ['@I6', '@I16'] },
    async ({ users, openBrowser, instance, expectMessage }) => {
      for (const status of [400, 422]) expectMessage(failedLoad(status));
      const { page, created } = await openAsNewUser(users, openBrowser);
      const otherSession = await newSession(instance, created.email);
      const change = section(page, 'Profile').getByRole('button', { name: 'Change password' });
      await change.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Change your password' });
      const current = dialog.getByLabel('Current Password');
      const next = dialog.getByLabel('New Password', { exact: true });
      const confirm = dialog.getByLabel('Confirm New Password');
      await expect(current).toBeFocused();
      await dialog.getByRole('button', { name: 'Show password' }).first().click();
      await expect(current).toHaveAttribute('type', 'text');
      await page.keyboard.press('Enter');
      await expect(current).toHaveAttribute('type', 'password');
      await expectFieldError(current, 'Enter your current password');
      await expectFieldError(next, 'Password must be at least 8 characters');
      await current.fill('not this one');
      await next.fill('another lantern 8');
      await confirm.fill('another lantern 9');
      await page.keyboard.press('Enter');
      await expectFieldError(confirm, "Passwords don't match");
      await expect(confirm).toBeFocused();
      await confirm.fill('another lantern 8');
      await page.keyboard.press('Enter');
      await expectFieldError(current, 'This is not your current password');
      await current.fill(testPassword);
      await next.fill(testPassword);
      await confirm.fill(testPassword);
      await page.keyboard.press('Enter');
      await expectFieldError(next, 'New password should be different from the old password.');
      await next.fill('another lantern 8');
      await confirm.fill('another lantern 8');
      await page.keyboard.press('Enter');
      await expect(toastWith(page, 'Password changed')).toBeVisible();
      await expect(change).toBeFocused();
      const ended = await sendRequest(instance, '/auth/v1/user', { token: otherSession.access_token });
      expect(ended.status).toBe(403);
      const body = { email: created.email, password: 'another lantern 8' };
      await requestOk(instance, '/auth/v1/token?grant_type=password', { body });
    },
  );

  test('accepts an emailed code instead of the current password', async ({
    users,
    openBrowser,
    instance,
    expectMessage,
  }) => {
    expectMessage(failedLoad(429));
    expectMessage(failedLoad(422));
    const { page, created } = await openAsNewUser(users, openBrowser);
    const dialog = page.getByRole('dialog', { name: 'Change your password' });
    const field = dialog.getByLabel('Code from the email');
    const requestCode = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Change password' }).click();
      await dialog.getByRole('button', { name: 'Forgot your password? Get a code by email' }).click();
      await expect(field).toBeFocused();
    };
    await requestCode();
    await page.keyboard.press('Escape');
    // The cooldown prevents a second code. The first one is still valid.
    await requestCode();
    await expect(toastWith(page, 'A code was sent recently')).toBeVisible();
    const code = await emailedCode(instance, created.email);
    await field.fill(code === '000000' ? '000001' : '000000');
    await dialog.getByLabel('New Password', { exact: true }).fill('another lantern 8');
    await dialog.getByLabel('Confirm New Password').fill('another lantern 8');
    await page.keyboard.press('Enter');
    await expectFieldError(field, 'This code is incorrect or has expired');
    await field.fill(code);
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Password changed')).toBeVisible();
  });
});

test.describe('page states', () => {
  test.use({ as: 'plain' });

  test('opens from the user menu, also without a role', async ({ page }) => {
    await page.goto('/admin/logs');
    await page.getByRole('complementary').getByRole('button', { name: 'Pat Plain' }).click();
    await page.getByRole('menuitem', { name: 'Security' }).click();
    await expect(page).toHaveURL(/\/admin\/me\/security$/);
    await expect(page).toHaveTitle(/^Security/);
    await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeFocused();
  });

  test('shows skeleton rows while loading, and an error with Retry in one section', async ({
    page,
    expectMessage,
  }) => {
    expectMessage(failedLoad(500));
    const pending = await holdRequests(page, /\/auth\/v1\/user\/sessions/);
    await openSecurity(page);
    await expect(section(page, 'Active sessions').locator('[data-skeleton]').first()).toBeVisible();
    await expect(section(page, 'Linked accounts')).toContainText('No linked accounts.');
    pending.release();
    await expect(itemsIn(page, 'Active sessions').first()).toBeVisible();

    await respondWith(page, /\/auth\/v1\/passkeys/, 500, {
      code: 'unexpected_failure',
      message: 'The service is unavailable',
    });
    await page.reload();
    const passkeys = section(page, 'Passkeys');
    await expect(passkeys).toContainText('Your passkeys could not be loaded');
    await expect(section(page, 'Linked accounts')).toContainText('No linked accounts.');
    await page.unroute(/\/auth\/v1\/passkeys/);
    await passkeys.getByRole('button', { name: 'Retry' }).click();
    await expect(passkeys).toContainText('No passkeys yet.');

    // Recovery codes depend on the second factors, so nothing loads here after their error.
    await respondWith(page, /\/auth\/v1\/user$/, 500, { msg: 'The service is unavailable' }, 'GET');
    await page.reload();
    await expect(section(page, secondFactorsTitle)).toContainText('The service is unavailable');
    await expect(section(page, 'Recovery codes').locator('[data-skeleton]')).toHaveCount(0);
  });

  test('tells an unknown name from none, and how many recovery codes are left', async ({ page, users }) => {
    const { id, email, fullName } = await users.plain();
    const profile = await holdRequests(page, /\/rest\/v1\/profiles/);
    const factor = {
      id: '00000000-0000-4000-8000-000000000001',
      friendly_name: 'Duty phone',
      factor_type: 'totp',
      status: 'verified',
      created_at: '2026-05-01T08:00:00Z',
    };
    await page.route(/\/auth\/v1\/user$/, (route) =>
      route.fulfill({ json: { id, email, aud: 'authenticated', app_metadata: {}, factors: [factor] } }),
    );
    let left = { total: 0, remaining: 0 };
    await page.route(/\/recovery-codes/, (route) => route.fulfill({ json: left }));
    await openSecurity(page);
    await expect(section(page, 'Profile')).toContainText(`Signs in with ${email}`);
    await expect(section(page, 'Profile')).not.toContainText('No name yet');
    await expect(page.getByRole('button', { name: 'Change name' })).toBeDisabled();
    profile.release();
    await expect(section(page, 'Profile')).toContainText(fullName);
    await expect(page.getByRole('button', { name: 'Change name' })).toBeEnabled();
    await expect(section(page, 'Recovery codes')).toContainText('You have no recovery codes.');
    await expect(section(page, 'Recovery codes')).not.toContainText('cannot sign in');
    left = { total: 10, remaining: 0 };
    await page.reload();
    await expect(section(page, 'Recovery codes')).toContainText('0 of 10 codes left');
    await expect(section(page, 'Recovery codes')).not.toContainText('before you run out');
  });

  test('removes a factor also if the session cannot be refreshed afterwards', async ({
    page,
    users,
    expectMessage,
  }) => {
    expectMessage(/ERR_FAILED|AuthRetryableFetchError/);
    const { id, email } = await users.plain();
    const factorId = '00000000-0000-4000-8000-000000000001';
    let factors = [
      {
        id: factorId,
        friendly_name: 'Duty phone',
        factor_type: 'totp',
        status: 'verified',
        created_at: '2026-05-01T08:00:00Z',
      },
    ];
    await page.route(/\/auth\/v1\/user$/, (route) =>
      route.fulfill({ json: { id, email, aud: 'authenticated', app_metadata: {}, factors } }),
    );
    await page.route(/\/recovery-codes/, (route) => route.fulfill({ json: { total: 0, remaining: 0 } }));
    await page.route(/\/auth\/v1\/factors\//, (route) => {
      factors = [];
      return route.fulfill({ json: { id: factorId } });
    });
    await page.clock.install();
    await openSecurity(page);
    await page.getByRole('button', { name: 'Remove Duty phone' }).click();
    await page.route(/grant_type=refresh_token/, (route) => route.abort('failed'));
    const refresh = page.waitForRequest(/grant_type=refresh_token/);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove second factor' }).click();
    await refresh;
    await expect(async () => {
      await page.clock.runFor(5000);
      await expect(toastWith(page, 'Second factor removed')).toBeVisible({ timeout: 1000 });
    }).toPass();
    await expect(section(page, secondFactorsTitle)).toContainText('No second factor yet');
  });

  test('keeps loaded data offline and shows the error of a failed change', async ({
    page,
    context,
    expectMessage,
  }) => {
    expectMessage(/ERR_INTERNET_DISCONNECTED/);
    await openSecurity(page);
    await expect(section(page, 'Passkeys')).toContainText('No passkeys yet.');
    await page.getByRole('button', { name: 'Add authenticator app' }).hover();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Add authenticator app' }).click();
    await acceptSuggestedName(page);
    await expect(
      page.getByText('The service cannot be reached. Check your connection and try again.'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(section(page, 'Linked accounts')).toContainText('No linked accounts.');
    await context.setOffline(false);
  });
});
