/** What only this project's own service offers is absent elsewhere, and no request asks for it. */
import { invitation, owner, password } from '../support/foreign-backend.ts';
import { expect, test } from '../support/foreign-test.ts';

test('the panel of an invitation has no history, no count of emails and nothing to revoke', async ({
  page,
  backend,
}) => {
  backend.tables['user_invitations'] = [invitation];
  await page.goto('/admin/platform-admins');
  await page.getByRole('link', { name: 'Robin Hart' }).click();
  const panel = page.getByRole('dialog', { name: 'Robin Hart' });
  await expect(panel.getByText('robin@example.org')).toBeVisible();
  await expect(panel.getByRole('button', { name: 'Resend' })).toBeEnabled();
  await expect(panel.getByText(/Emails sent|Last sent|History/)).toHaveCount(0);
  await expect(panel.getByRole('button', { name: /Revoke|Remove|Restore|Create link/ })).toHaveCount(0);
});

test('notification settings offer no check of the domain and no test email', async ({ page }) => {
  await page.goto('/admin/notifications');
  await expect(page.getByRole('button', { name: 'Save Settings' })).toBeVisible();
  await expect(page.getByText('Email Delivery')).toHaveCount(0);
});

test('the security page has second factors and linked accounts only', async ({ page, backend }) => {
  await page.clock.install();
  await page.goto('/admin/me/security');
  await expect(page.getByRole('button', { name: 'Add authenticator app' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Two-factor authentication',
    'Linked accounts',
  ]);
  // The watch of the session would have asked by now.
  await page.clock.runFor(10_000);
  expect(backend.requests.some(({ path }) => path.startsWith('/functions/'))).toBe(false);
});

test.describe('signed out', () => {
  test.use({ signedIn: false });

  test('the sign-in page offers neither passkeys nor codes from emails, and names no command', async ({
    page,
    backend,
  }) => {
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
    await expect(page.getByText(/Admins screen|reset-factors/)).toHaveCount(0);
  });
});
