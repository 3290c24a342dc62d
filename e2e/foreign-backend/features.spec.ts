/** Extensions of this project are absent on other backends and cause no requests. */
import { invitation, owner, password } from '../support/foreign-backend.ts';
import { expect, requestsTo, test } from '../support/foreign-test.ts';
import { openPalette } from '../support/palette.ts';

test('shows no history or Revoke in the panel of an invitation', async ({ page, backend }) => {
  backend.tables['user_invitations'] = [invitation];
  await page.goto('/admin/platform-admins');
  await page.getByRole('link', { name: 'Robin Hart' }).click();
  const panel = page.getByRole('dialog', { name: 'Robin Hart' });
  await expect(panel.getByText('robin@example.org')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Resend' })).toBeEnabled();
  await expect(panel.getByText('History')).toHaveCount(0);
  await expect(panel.getByRole('button', { name: /Revoke|Remove|Restore|Create link/ })).toHaveCount(0);
});

test('shows no actions in the panel of an account', async ({ page, backend }) => {
  const id = '00000000-0000-4000-8000-0000000000f1';
  const time = '2026-01-02T10:00:00Z';
  const values = {
    name: 'Vail Patrol',
    slug: 'vail-patrol',
    account_type: 'enterprise',
    status: 'suspended',
  };
  const nothing = { address: null, city: null, state: null, zip_code: null, created_by: null };
  const row = { id, ...values, ...nothing, created_at: time, updated_at: time };
  backend.tables['accounts'] = [row];
  await page.goto(`/admin/accounts?account=${id}&action=edit`);
  const panel = page.getByRole('dialog', { name: 'Vail Patrol' });
  await expect(panel.getByText('vail-patrol')).toBeVisible();
  await expect(panel.getByText('suspended')).toBeVisible();
  await expect(page.getByRole('row', { name: /Vail Patrol/ }).getByText('suspended')).toBeVisible();
  await expect(panel.getByRole('button', { name: /Edit|Suspend|Reactivate|Archive|Restore/ })).toHaveCount(0);
  await expect(page.getByRole('dialog', { name: 'Edit Account' })).toHaveCount(0);
  expect(requestsTo(backend, /functions/)).toEqual([]);
});

test('offers the first account of an empty list, and no setup steps', async ({ page, backend }) => {
  await page.clock.install();
  await page.goto('/admin/accounts');
  await expect(page.getByText('No accounts yet')).toBeVisible();
  // The steps would have been read by now.
  await page.clock.runFor(10_000);
  expect(requestsTo(backend, /functions/)).toEqual([]);
  await expect(page.getByRole('region', { name: /^Set up/ })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Demonstration' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Create first account' }).click();
  await expect(page.getByRole('dialog', { name: 'Add New Account' })).toBeVisible();
});

test('shows no domain check and no test email in the notification settings', async ({ page }) => {
  await page.goto('/admin/notifications');
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeVisible();
  await expect(page.getByText('Email Delivery')).toHaveCount(0);
});

test('offers no activity', async ({ page, backend, expectedMessages }) => {
  expectedMessages.push(/404: no page at this path/);
  await page.goto('/admin/notifications');
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type('activity');
  await expect(page.getByRole('option', { name: 'Activity' })).toHaveCount(0);
  await page.goto('/admin/activity');
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible();
  expect(backend.requests.some(({ path }) => path.startsWith('/functions/'))).toBe(false);
});

test('shows only second factors and linked accounts on the security screen', async ({ page, backend }) => {
  await page.clock.install();
  await page.goto('/admin/me/security');
  await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Two-factor authentication',
    'Linked accounts',
  ]);
  // The session watch would have sent its request by now.
  await page.clock.runFor(10_000);
  expect(backend.requests.some(({ path }) => path.startsWith('/functions/'))).toBe(false);
});

test.describe('signed out', () => {
  test.use({ signedIn: false });

  test('shows no passkeys, emailed codes or CLI command on the sign-in page', async ({ page, backend }) => {
    await page.goto('/auth');
    await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await expect(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();
    await expect(page.getByRole('button', { name: /code/i })).toHaveCount(0);
    backend.user.factors.push({ id: 'factor-1', factor_type: 'totp', status: 'verified' });
    await page.getByRole('button', { name: 'Back to sign in' }).click();
    await page.getByLabel('Email', { exact: true }).fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('heading', { name: "Confirm It's You" })).toBeVisible();
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
    await expect(page.getByText(/Admins screen|Lost your second factor/)).toHaveCount(0);
  });
});
