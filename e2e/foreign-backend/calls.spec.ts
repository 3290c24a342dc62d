/**
 * The exact calls of docs/requirements.md#7b-calls-to-the-data-api-and-the-function, and the messages that the other tests of this
 * directory do not show.
 */
import type { Page } from '@playwright/test';
import { type ForeignBackend, invitation, owner, password } from '../support/foreign-backend.ts';
import { expect, failedLoad, requestsTo, test, toastWith } from '../support/foreign-test.ts';
import { storageKey } from '../support/users.ts';

/** Returns the different calls of the Data API, sorted. */
const dataCalls = (backend: ForeignBackend): string[] =>
  [...new Set(requestsTo(backend, / \/rest\//).map(({ method, path }) => `${method} ${path}`))]
    .map((call) => decodeURIComponent(call.replace('/rest/v1', '')))
    .sort();

const callsOfEveryScreen = [
  `GET /profiles?select=*&id=eq.${owner.id}`,
  `GET /user_roles?select=*&user_id=eq.${owner.id}&role=eq.platform_admin&limit=1`,
  `GET /account_members?select=*,accounts(*)&user_id=eq.${owner.id}&status=eq.active`,
];

for (const [path, ...calls] of [
  ['/admin/logs'],
  ['/admin/accounts', 'GET /accounts?select=*&order=created_at.desc,id.desc&limit=200'],
  ['/admin/platform-admins', 'GET /user_invitations?select=*&order=invited_at.desc'],
  ['/admin/notifications', 'GET /notification_settings?select=*&limit=1'],
] as const) {
  test(`sends only the required reads on ${path}`, async ({ page, backend }) => {
    await page.goto(path);
    await expect.poll(() => dataCalls(backend)).toEqual([...callsOfEveryScreen, ...calls].sort());
    await page.waitForLoadState('networkidle');
    expect(dataCalls(backend)).toEqual([...callsOfEveryScreen, ...calls].sort());
    const [profile] = requestsTo(backend, /profiles/);
    expect(profile?.headers).toMatchObject({ accept: expect.stringContaining('pgrst.object') });
    for (const { headers } of requestsTo(backend, / \/rest\//)) {
      expect(headers['apikey']).toBe('public-anon-key');
      expect(headers.authorization).toMatch(/^Bearer .+\..+\./);
    }
  });
}

test('reads the invitations again after a resend that succeeds or fails', async ({
  page,
  backend,
  expectedMessages,
}) => {
  expectedMessages.push(failedLoad(500));
  backend.tables['user_invitations'] = [invitation];
  await page.goto('/admin/platform-admins');
  const resend = page.getByRole('button', { name: 'Resend' });
  for (const [response, title] of [
    [{ status: 200, body: { success: true } }, 'Email resent!'],
    [{ status: 500, body: { error: 'No quota' } }, 'Failed to resend invitation'],
    [{ status: 200, body: { success: false } }, 'Email Not Sent'],
  ] as const) {
    const before = requestsTo(backend, /^GET .*user_invitations/).length;
    backend.substitute(/^POST \/functions/, response, 1);
    await resend.click();
    await expect(toastWith(page, title)).toBeVisible();
    await expect.poll(() => requestsTo(backend, /^GET .*user_invitations/).length).toBeGreaterThan(before);
  }
  await expect(toastWith(page, 'Email Not Sent')).toContainText(/sending domain may need to be verified/);
  expect(requestsTo(backend, /^POST \/functions/).at(-1)?.body).toEqual({
    email: invitation['email'],
    full_name: invitation['full_name'],
  });
});

test('inserts the settings and reads the stored row from the response', async ({ page, backend }) => {
  await page.goto('/admin/notifications');
  await page.getByLabel('Sender Email Address').fill('alerts@example.org');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toastWith(page, 'Settings saved')).toBeVisible();
  const [insert] = requestsTo(backend, /^POST .*notification_settings/);
  expect(insert?.body).toEqual({ sender_email: 'alerts@example.org', sender_name: 'Beacon' });
  expect(insert?.headers['prefer']).toContain('return=representation');
});

test.describe('messages', () => {
  const createAccount = async (page: Page): Promise<void> => {
    await page.goto('/admin/accounts?new=true');
    await page.getByLabel('Account Name').fill('Vail Ski Patrol');
    await page.getByRole('dialog').getByLabel('Type').selectOption('organization');
    await page.getByRole('button', { name: 'Create Account' }).click();
  };
  const invite = async (page: Page): Promise<void> => {
    await page.goto('/admin/platform-admins?invite=true');
    await page.getByLabel('Full Name').fill('Robin Hart');
    await page.getByLabel('Email', { exact: true }).fill('robin@example.org');
    await page.getByRole('button', { name: 'Send Invitation' }).click();
  };
  const relayError = { status: 502, body: 'Relay', headers: { 'x-relay-error': 'true' } };
  const databaseError = {
    code: '23514',
    message: 'The name is reserved',
    details: 'row 7',
    hint: 'Rename it',
  };

  for (const [name, run, pattern, response, title, text] of [
    [
      'a database error',
      createAccount,
      /^POST .*accounts/,
      { status: 400, body: databaseError },
      'Error creating account',
      'The name is reserved',
    ],
    [
      'a relay error',
      invite,
      /^POST \/functions/,
      relayError,
      'Failed to send invitation',
      'Relay Error invoking the Edge Function',
    ],
    [
      'a request that is not sent',
      invite,
      /^POST \/functions/,
      null,
      'Failed to send invitation',
      'Failed to send a request to the Edge Function',
    ],
  ] as const) {
    test(`shows ${name}`, async ({ page, backend, expectedMessages }) => {
      expectedMessages.push(/Failed to load resource/);
      backend.substitute(pattern, response);
      await run(page);
      await expect(toastWith(page, title)).toContainText(text);
      await expect(toastWith(page, title)).toHaveAttribute('data-variant', 'destructive');
      await expect(page.getByText('row 7')).toHaveCount(0);
    });
  }
});

test('logs a profile with several rows', async ({ page, backend, expectedMessages }) => {
  expectedMessages.push(failedLoad(406), /The profile could not be loaded/);
  backend.tables['profiles']?.push({ id: owner.id, full_name: 'Olga Other' });
  await page.goto('/admin/logs');
  await expect(page.getByRole('button', { name: owner.email })).toBeVisible();
});

for (const status of [401, 403, 404]) {
  test(`signs out if the backend responds with ${status}`, async ({ page, backend, expectedMessages }) => {
    expectedMessages.push(failedLoad(status));
    backend.substitute(/\/logout/, { status, body: { error_code: 'x', msg: 'No session' } });
    await page.goto('/admin/logs');
    await page.getByRole('button', { name: owner.fullName }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await expect(toastWith(page, 'Signed out')).toContainText("You've been successfully signed out.");
    expect(await page.evaluate((key) => localStorage.getItem(key), storageKey(backend))).toBeNull();
  });
}

test('sends the fields of an authenticator app', async ({ page, backend }) => {
  await page.goto('/admin/me/security?add=app');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  const code = page.getByRole('dialog').getByLabel('Code');
  await code.fill('123456');
  await code.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const [enrollment] = requestsTo(backend, /^POST \/auth\/v1\/factors$/);
  expect(enrollment?.body).toMatchObject({
    friendly_name: 'Authenticator app',
    factor_type: 'totp',
    issuer: 'Beacon',
  });
  expect(requestsTo(backend, /^POST .*\/factor-1\/challenge$/)).toHaveLength(1);
  const [verification] = requestsTo(backend, /^POST .*\/factor-1\/verify$/);
  expect(verification?.body).toMatchObject({ challenge_id: 'challenge-1', code: '123456' });
});

test.describe('signed out', () => {
  test.use({ signedIn: false });

  test('signs in with a code by text message', async ({ page, backend }) => {
    backend.user.factors.push({ id: 'factor-1', factor_type: 'phone', status: 'verified' });
    await page.goto('/auth');
    await page.getByLabel('Email', { exact: true }).fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('button', { name: /Send/ }).click();
    await page.getByLabel('Code', { exact: true }).fill('123456');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/accounts$/);
    const [signIn] = requestsTo(backend, /grant_type=password/);
    expect(signIn?.body).toMatchObject({ email: owner.email, password });
    expect(requestsTo(backend, /\/challenge$/).at(-1)?.body).toMatchObject({ channel: 'sms' });
    expect(requestsTo(backend, /\/verify$/).at(-1)?.body).toMatchObject({
      challenge_id: 'challenge-1',
      code: '123456',
    });
  });

  for (const [message, description] of [
    ['The browser rejects', 'The browser rejects'],
    ['', 'Failed to set password'],
  ] as const) {
    test(`shows "${description}" if the browser fails while the password is set`, async ({
      page,
      backend,
    }) => {
      const { access_token: token } = backend.session();
      await page.goto(
        `/auth/callback?setup=true#access_token=${token}&refresh_token=refresh-token&expires_in=3600&token_type=bearer&type=invite`,
      );
      for (const label of ['Password', 'Confirm Password'])
        await page.getByLabel(label, { exact: true }).fill(password);
      await page.evaluate((text) => {
        Object.defineProperty(navigator.locks, 'request', { value: () => Promise.reject(new Error(text)) });
        Storage.prototype.getItem = () => {
          throw new Error(text);
        };
      }, message);
      await page.getByRole('button', { name: 'Set Password & Continue' }).click();
      await expect(toastWith(page, /^Error(?! setting)/)).toContainText(description);
    });
  }
});
