/** Sign-in, links and passwords on a Supabase-compatible backend without the extensions of this project. */
import type { Page } from '@playwright/test';
import { owner, password } from '../support/foreign-backend.ts';
import { expect, failedLoad, requestsTo, test, toastWith } from '../support/foreign-test.ts';
import { storageKey } from '../support/users.ts';

const html = '<html><body>Bad gateway of the proxy</body></html>';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Fills in the form and submits it. */
async function signIn(page: Page, typed = password): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(typed);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

const fragment = (backend: { session: () => { access_token: string } }): string =>
  `#access_token=${backend.session().access_token}&refresh_token=refresh-token&expires_in=3600&token_type=bearer&type=recovery`;

test.describe('signed out', () => {
  test.use({ signedIn: false });

  test('opens the sign-in page from the root of the site', async ({ page, request }) => {
    expect(await (await request.get('/')).text()).toBe(await (await request.get('/admin')).text());
    await page.goto('/');
    await expect(page).toHaveURL(/\/auth$/);
    await expect(heading(page, 'Welcome Back')).toBeVisible();
  });

  test('signs in and out', async ({ page, backend, expectedMessages }) => {
    expectedMessages.push(failedLoad(400));
    await page.goto('/auth/');
    await signIn(page, 'wrong password');
    await expect(toastWith(page, 'Sign in failed')).toContainText('Invalid login credentials');
    await signIn(page);
    await expect(page).toHaveURL(/\/admin\/accounts$/);
    await expect(toastWith(page, 'Welcome back!')).toContainText("You've successfully signed in.");
    await expect(page.getByText('No accounts yet')).toBeVisible();
    await page.getByRole('button', { name: owner.fullName }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(toastWith(page, 'Signed out')).toContainText("You've been successfully signed out.");
    expect(requestsTo(backend, /^POST \/auth\/v1\/logout/)).toHaveLength(1);
  });

  test('shows the status instead of the error page of a proxy', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(failedLoad(502), failedLoad(500));
    await page.goto('/auth');
    for (const status of [502, 500]) {
      backend.substitute(/grant_type=password/, { status, body: html });
      await signIn(page);
      await expect(toastWith(page, `(Status ${status})`)).toContainText('Sign in failed');
    }
    await expect(page.getByText(/Bad gateway of|<html/)).toHaveCount(0);
  });

  test('sends the reset email or shows the error', async ({ page, backend, expectedMessages }) => {
    expectedMessages.push(failedLoad(429));
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByLabel('Email', { exact: true }).fill(owner.email);
    backend.substitute(/\/recover/, { status: 429, body: { error_code: 'x', msg: 'Too many emails' } }, 1);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastWith(page, 'Password reset failed')).toContainText('Too many emails');
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastWith(page, 'Password reset email sent')).toContainText(
      'Check your email for a link to reset your password.',
    );
    const [request] = requestsTo(backend, /^POST \/auth\/v1\/recover/);
    expect(request?.body).toMatchObject({ email: owner.email });
    expect(decodeURIComponent(request?.path ?? '')).toContain('/auth/callback');
  });

  test('sets a password by a link with tokens, also with a trailing slash', async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(failedLoad(422));
    await page.goto(`/auth/callback/?setup=true${fragment(backend)}`);
    await expect(heading(page, 'Set Your Password')).toBeVisible();
    for (const label of ['Password', 'Confirm Password'])
      await page.getByLabel(label, { exact: true }).fill(password);
    const rejection = { error_code: 'same_password', msg: 'Choose another password.' };
    backend.substitute(/^PUT \/auth\/v1\/user/, { status: 422, body: rejection }, 1);
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(toastWith(page, 'Error setting password')).toContainText('Choose another password.');
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts$/);
    await expect(toastWith(page, 'Password set successfully')).toContainText('Welcome to Beacon!');
    expect(requestsTo(backend, /^PUT \/auth\/v1\/user/).at(-1)?.body).toMatchObject({ password });
  });

  test('shows an invalid link on the set-password screen without a session', async ({ page }) => {
    await page.goto('/auth/set-password/');
    await expect(toastWith(page, 'Invalid or expired link')).toContainText(
      'Please request a new invitation.',
    );
    await expect(page).toHaveURL(/\/auth$/);
    await expect(heading(page, 'Welcome Back')).toBeVisible();
  });
});

const outages = [
  ['500', { status: 500, body: html }, /\(Status 500\)/],
  ['a broken connection', null, /cannot be reached/],
] as const;

for (const [name, response, reason] of outages) {
  test(`shows both toasts and redirects if the session check of the set-password screen fails with ${name}`, async ({
    page,
    backend,
    expectedMessages,
  }) => {
    expectedMessages.push(/Failed to load resource/);
    backend.substitute(/^GET \/auth\/v1\/user/, response);
    await page.goto('/auth/set-password?setup=true');
    await expect(page).toHaveURL(/\/admin\/accounts$/);
    await expect(toastWith(page, 'Invalid or expired link')).toBeVisible();
    await expect(toastWith(page, 'Your session could not be checked')).toContainText(reason);
    await expect(heading(page, 'Accounts')).toBeVisible();
  });
}

test('keeps a session without a password on the sign-in page during an outage, and continues on Retry', async ({
  page,
  backend,
  expectedMessages,
}) => {
  expectedMessages.push(failedLoad(500));
  backend.user['app_metadata'] = { setup_required: true };
  const key = storageKey(backend);
  const stored = JSON.stringify(backend.session());
  await page.addInitScript(([name, value]) => localStorage.setItem(name, value), [key, stored] as const);
  backend.substitute(/^GET \/auth\/v1\/user/, { status: 500, body: {} }, 1);
  await page.goto('/auth/set-password?setup=true');
  await expect(toastWith(page, 'Invalid or expired link')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(heading(page, 'Set Your Password')).toBeVisible();
});

test('shows an expired link on the accounts screen to a signed-in user', async ({ page }) => {
  await page.goto('/auth/callback?setup=true#error=access_denied&error_code=otp_expired');
  await expect(page).toHaveURL(/\/admin\/accounts$/);
  await expect(toastWith(page, 'The link could not be used')).toContainText('has expired');
});

test('removes a session that the backend does not refresh', async ({ page, backend, expectedMessages }) => {
  expectedMessages.push(failedLoad(400), failedLoad(401));
  backend.substitute(/^GET \/rest/, { status: 401, body: { code: 'PGRST301', message: 'JWT expired' } });
  const ended = { error_code: 'refresh_token_not_found', msg: 'Invalid Refresh Token' };
  backend.substitute(/grant_type=refresh_token/, { status: 400, body: ended });
  await page.goto('/admin/logs');
  await expect(heading(page, 'Welcome Back')).toBeVisible();
  expect(requestsTo(backend, /grant_type=refresh_token/)[0]?.body).toEqual({
    refresh_token: 'refresh-token',
  });
});

test('shows a failed sign-out and signs out this browser', async ({ page, backend, expectedMessages }) => {
  expectedMessages.push(failedLoad(500));
  backend.substitute(/\/logout/, { status: 500, body: html });
  await page.goto('/admin/logs');
  await page.getByRole('button', { name: owner.fullName }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(toastWith(page, 'Sign out failed')).toContainText('(Status 500)');
  await expect(heading(page, 'Welcome Back')).toBeVisible();
});
