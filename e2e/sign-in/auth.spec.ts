/** /auth: sign-in, password reset and redirects. */
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { emailField, expectFieldError, isNoValidate, passwordField, requestsTo } from '../support/forms.ts';
import { listRows, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import { emailedCode, emailedLink, testPassword } from '../support/users.ts';

const accounts = /\/admin\/accounts/;

test.describe('signed out', () => {
  test('redirects / to the sign-in form', { tag: ['@C013', '@C014', '@C015'] }, async ({ page }) => {
    await page.goto('/');
    await expect(page).toHaveURL(/\/auth$/);
    await expect(page.getByRole('heading', { name: 'Welcome Back', exact: true })).toBeVisible();
    await expect(emailField(page)).toHaveAttribute('autocomplete', 'username');
    await expect(passwordField(page)).toHaveAttribute('type', 'password');
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  });

  test(
    'opens the reset form and returns to the sign-in form',
    { tag: ['@C016', '@C017', '@C018', '@C019', '@C020'] },
    async ({ page }) => {
      await page.goto('/auth');
      await emailField(page).fill('kept@example.org');
      await page.getByRole('button', { name: 'Forgot password?', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Reset Password', exact: true })).toBeVisible();
      await expect(page.locator('input[type=password]')).toHaveCount(0);
      await expect(page.getByRole('textbox')).toHaveCount(1);
      await expect(emailField(page)).toHaveValue('kept@example.org');
      await expect(page.getByRole('button', { name: 'Send Reset Link', exact: true })).toBeVisible();
      await page.getByRole('button', { name: 'Back to sign in', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Welcome Back', exact: true })).toBeVisible();
      await expect(emailField(page)).toHaveValue('kept@example.org');
      await emailField(page).fill('ann@münchen.example');
      await page.getByRole('button', { name: 'Forgot password?', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Reset Password', exact: true })).toBeVisible();
      await expect(page.getByText('This address is used as ann@xn--mnchen-3ya.example.')).toBeVisible();
    },
  );

  test(
    'opens the accounts after a sign-in and shows a toast',
    { tag: ['@C001', '@C232', '@C271'] },
    async ({ page, users }) => {
      const { email } = await users.create();
      const calls = requestsTo(page, /\/auth\/v1\/token/);
      await page.goto('/auth');
      // The console trims pasted spaces. The service stores email addresses in lower case.
      await emailField(page).fill(`  ${email.toUpperCase()} `);
      await passwordField(page).fill(testPassword);
      await page.getByRole('button', { name: 'Sign In', exact: true }).click();
      await expect(page).toHaveURL(accounts);
      await expect(toastWith(page, 'Welcome back!')).toContainText("You've successfully signed in.");
      await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
      expect(calls).toHaveLength(1);
      expect(calls[0]?.url()).toContain('grant_type=password');
      expect(calls[0]?.postDataJSON()).toMatchObject({ email, password: testPassword });
    },
  );

  test(
    'shows the same error for a wrong password and an unknown email address',
    { tag: ['@C272', '@C295', '@X19'] },
    async ({ page, users, expectMessage }) => {
      expectMessage(failedLoad(400));
      const { email } = await users.plain();
      await page.goto('/auth');
      const messages: string[] = [];
      for (const address of [email, `${unique('unknown')}@example.org`]) {
        await emailField(page).fill(address);
        await passwordField(page).fill('not the password');
        await page.getByRole('button', { name: 'Sign In', exact: true }).click();
        const failure = toastWith(page, 'Sign in failed');
        await expect(failure).toHaveAttribute('data-variant', 'destructive');
        messages.push(await failure.innerText());
        await failure.getByRole('button', { name: 'Dismiss notification' }).click();
        await expect(failure).toHaveCount(0);
      }
      expect(messages[0]).toContain('Invalid login credentials');
      expect(messages[1]).toBe(messages[0]);
      await expect(page).toHaveURL(/\/auth$/);
      await expect(emailField(page)).not.toHaveValue('');
    },
  );

  test('tells that the storage of the browser is full', async ({ page, users }) => {
    const { email } = await users.plain();
    await page.goto('/auth');
    await emailField(page).fill(email);
    await passwordField(page).fill(testPassword);
    // The script of the page runs. With a full storage, it would show a sentence instead of the form.
    await page.getByRole('button', { name: 'Show password', exact: true }).click();
    await expect(passwordField(page)).toHaveAttribute('type', 'text');
    await page.evaluate(() => {
      for (let size = 1 << 20; size > 0; size >>= 1) {
        try {
          for (let index = 0; ; index += 1) localStorage.setItem(`${size} ${index}`, 'x'.repeat(size));
        } catch {
          // Smaller items may still fit.
        }
      }
    });
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(toastWith(page, 'Sign in failed')).toContainText(
      'The storage of this site is full. Delete the site data of 127.0.0.1',
      // The browser writes several megabytes first.
      { timeout: 30_000 },
    );
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  });

  test('shows the password on request, by mouse and by keyboard, and hides it on submit', async ({
    page,
    users,
    expectMessage,
  }) => {
    expectMessage(failedLoad(400));
    const { email } = await users.plain();
    await page.goto('/auth');
    await emailField(page).fill(email);
    await passwordField(page).fill('mistypd');
    const show = page.getByRole('button', { name: 'Show password', exact: true });
    const hide = page.getByRole('button', { name: 'Hide password', exact: true });
    await show.click();
    await expect(passwordField(page)).toHaveAttribute('type', 'text');
    await expect(passwordField(page)).toHaveAttribute('autocorrect', 'off');
    // The caret keeps its position.
    await expect(passwordField(page)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(hide).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeFocused();
    const { release } = await holdRequests(page, /\/auth\/v1\/token/);
    await page.keyboard.press('Enter');
    await expect(passwordField(page)).toHaveAttribute('type', 'password');
    // Simulates a rotated phone.
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeVisible();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await horizontalOverflow(page)).toBe(0);
    release();
    await expect(toastWith(page, 'Sign in failed')).toBeVisible();
    await expect(passwordField(page)).toHaveValue('mistypd');
    await expect(show).toBeVisible();
  });

  test(
    'shows an error at the field for an invalid email address',
    { tag: ['@C202', '@C221'] },
    async ({ page }) => {
      const calls = requestsTo(page, /\/auth\/v1\/token/);
      await page.goto('/auth');
      for (const address of ['', 'abc', 'a@b']) {
        await emailField(page).fill(address);
        await passwordField(page).fill('long enough');
        await passwordField(page).press('Enter');
        await expectFieldError(emailField(page), 'Invalid email address');
        await expect(emailField(page)).toBeFocused();
      }
      expect(await isNoValidate(emailField(page))).toBe(true);
      expect(calls).toHaveLength(0);
    },
  );

  test(
    'rejects a password of five characters and sends one of six',
    { tag: '@C203' },
    async ({ page, expectMessage }) => {
      expectMessage(failedLoad(400));
      const calls = requestsTo(page, /\/auth\/v1\/token/);
      await page.goto('/auth');
      await emailField(page).fill('someone@example.org');
      await passwordField(page).fill('12345');
      await passwordField(page).press('Enter');
      await expectFieldError(passwordField(page), 'Password must be at least 6 characters');
      await expect(passwordField(page)).toBeFocused();
      expect(calls).toHaveLength(0);
      await passwordField(page).fill('123456');
      await passwordField(page).press('Enter');
      await expect(toastWith(page, 'Sign in failed')).toBeVisible();
      expect(calls).toHaveLength(1);
      // The error does not apply to the next step.
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      await expect(toastWith(page, 'Sign in failed')).toHaveCount(0);
    },
  );

  test('rejects an invalid email address in the reset form', { tag: '@C204' }, async ({ page }) => {
    const calls = requestsTo(page, /\/auth\/v1\/recover/);
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await emailField(page).fill('abc');
    await emailField(page).press('Enter');
    await expectFieldError(emailField(page), 'Invalid email address');
    expect(await isNoValidate(emailField(page))).toBe(true);
    expect(calls).toHaveLength(0);
  });

  test(
    'shows the same result for known and unknown email addresses',
    { tag: ['@C275', '@C034', '@X19'] },
    async ({ page, users }) => {
      const { email } = await users.create();
      await page.goto('/auth');
      await page.getByRole('button', { name: 'Forgot password?' }).click();
      for (const address of [email, `${unique('unknown')}@example.org`]) {
        const call = page.waitForRequest(/\/auth\/v1\/recover/);
        await emailField(page).fill(address);
        await page.getByRole('button', { name: 'Send Reset Link' }).click();
        expect(new URL((await call).url()).searchParams.get('redirect_to')).toBe(
          `${new URL(page.url()).origin}/auth/callback`,
        );
        const sent = toastWith(page, 'Password reset email sent');
        await expect(sent).toContainText('Check your email for a link to reset your password.');
        await sent.getByRole('button', { name: 'Dismiss notification' }).click();
        await expect(sent).toHaveCount(0);
      }
    },
  );

  test('shows the error of a failed reset', { tag: ['@C276', '@C295'] }, async ({ page, expectMessage }) => {
    expectMessage(failedLoad(429));
    const message = 'Email rate limit exceeded';
    await respondWith(page, /\/auth\/v1\/recover/, 429, {
      code: 'over_email_send_rate_limit',
      message,
      msg: message,
    });
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await emailField(page).fill('someone@example.org');
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    const failure = toastWith(page, 'Password reset failed');
    await expect(failure).toContainText(message);
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    await expect(emailField(page)).toHaveValue('someone@example.org');
  });

  test('says to a removed user who can help', async ({ page, expectMessage }) => {
    expectMessage(failedLoad(400));
    await respondWith(page, /\/auth\/v1\/token/, 400, { error_code: 'user_banned', msg: 'User is banned' });
    await page.goto('/auth');
    await emailField(page).fill('ada@example.org');
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(toastWith(page, 'Sign in failed')).toContainText(
      'Your access was removed or blocked. Ask an administrator to restore it.',
    );
  });

  test('sends one request for two submits', { tag: '@C232' }, async ({ page, users }) => {
    const { email } = await users.plain();
    const calls = requestsTo(page, /\/auth\/v1\/token/);
    await page.goto('/auth');
    await emailField(page).fill(email);
    await passwordField(page).fill(testPassword);
    await page.getByRole('button', { name: 'Sign In', exact: true }).dblclick();
    await expect(page).toHaveURL(accounts);
    expect(calls).toHaveLength(1);
  });
});

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  test('redirects / and /auth to the accounts', { tag: ['@C021', '@C023'] }, async ({ page }) => {
    await page.goto('/auth');
    await expect(page).toHaveURL(accounts);
    await page.goto('/');
    await expect(page).toHaveURL(accounts);
  });
});

test(
  'shows only a spinner until the session is known',
  { tag: ['@C022', '@C183'] },
  async ({ users, openBrowser }) => {
    const user = await users.create();
    // With an expired access token the client must refresh the session first.
    const expired = { ...user.session, expires_at: Math.floor(Date.now() / 1000) - 60 };
    const page = await openBrowser({ ...user, session: expired });
    const { release } = await holdRequests(page, /grant_type=refresh_token/);
    const refresh = page.waitForRequest(/grant_type=refresh_token/);
    await page.goto('/auth');
    await refresh;
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeHidden();
    await expect(emailField(page)).toBeHidden();
    release();
    await expect(page).toHaveURL(accounts);
  },
);

test(
  'resets the password through the emailed link',
  { tag: ['@C002', '@C025'] },
  async ({ page, users, instance, openBrowser }) => {
    const { email, id } = await users.create();
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await emailField(page).fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastWith(page, 'Password reset email sent')).toBeVisible();
    const link = await emailedLink(instance, email, 'recovery');
    expect(link.pathname).toBe('/auth/callback');
    // The link also works in another browser.
    const otherPage = await openBrowser(null);
    await otherPage.goto(link.pathname + link.search);
    await expect(otherPage.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    await expect(otherPage.getByText(email)).toBeVisible();
    await passwordField(otherPage).fill('another lantern 8');
    await otherPage.getByLabel('Confirm Password').fill('another lantern 8');
    await otherPage.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(otherPage).toHaveURL(accounts);
    expect(await listRows(instance, 'user_roles', `select=role&user_id=eq.${id}`)).toEqual([
      { role: 'platform_admin' },
    ]);
  },
);

test(
  'accepts the code of the reset email, after an error at the field for a wrong one',
  { tag: '@C002' },
  async ({ page, users, instance, expectMessage }) => {
    expectMessage(failedLoad(403));
    const { email } = await users.create();
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Forgot password?' }).click();
    await page.getByRole('button', { name: 'Enter the code instead' }).click();
    await expectFieldError(emailField(page), 'Invalid email address');
    await emailField(page).fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await expect(toastWith(page, 'Password reset email sent')).toBeVisible();
    const code = await emailedCode(instance, email);
    await page.getByRole('button', { name: 'Enter the code instead' }).click();
    await expect(page.getByRole('heading', { name: 'Enter the Code' })).toBeVisible();
    const field = page.getByLabel('Code');
    await expect(field).toBeFocused();
    await page.keyboard.type('12 34');
    await page.keyboard.press('Enter');
    await expectFieldError(field, 'Enter the six-digit code');
    await field.fill(code === '000000' ? '000001' : '000000');
    await page.keyboard.press('Enter');
    await expect(field).toHaveAccessibleDescription(/This code is incorrect/);
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    await passwordField(page).fill('another lantern 8');
    await page.getByLabel('Confirm Password').fill('another lantern 8');
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(page).toHaveURL(accounts);
  },
);
