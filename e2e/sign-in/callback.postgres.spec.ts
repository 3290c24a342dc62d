/** /auth/callback: redeems emailed links. Uses Postgres, so that SQL can expire links. */
import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, failedLoad, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { passwordField, requestsTo } from '../support/forms.ts';
import { acceptLink, emailedLink, testPassword, storageKey, tokenHashIn } from '../support/users.ts';
import { requestOk, unique } from '../support/api.ts';

test.use({ external: true });

const marker = 'needs_password_setup';
const readMarker = (page: Page): Promise<string | null> =>
  page.evaluate((key) => sessionStorage.getItem(key), marker);
const setMarker = (page: Page): Promise<void> =>
  page.evaluate((key) => sessionStorage.setItem(key, 'true'), marker);
const uniqueEmail = (): string => `${unique('invited')}@example.org`;
const linkFor = (tokenHash: string, type = 'invite'): string =>
  `/auth/callback?setup=true&token_hash=${encodeURIComponent(tokenHash)}&type=${type}`;
const linkErrorTitle = 'The link could not be used';

test(
  'exchanges an emailed link for a session and removes its token from the URL',
  { tag: ['@C003', '@C004', '@C024', '@C025', '@C026', '@C027', '@C029', '@CON-05'] },
  async ({ page, users, instance }) => {
    const tokenHash = await users.invite(uniqueEmail());
    const recorded: string[] = [];
    page.on('request', (request) => recorded.push(request.url()));
    page.on('console', (message) => recorded.push(message.text()));
    const { release } = await holdRequests(page, /\/auth\/v1\/verify/);
    const exchange = page.waitForRequest(/\/auth\/v1\/verify/);
    await page.goto(linkFor(tokenHash));
    await expect(page.getByText('Completing authentication...', { exact: true })).toBeVisible();
    const request = await exchange;
    expect(request.method()).toBe('POST');
    expect(request.postDataJSON()).toMatchObject({ type: 'invite', token_hash: tokenHash });
    expect(page.url()).not.toContain(tokenHash);
    expect(await readMarker(page)).not.toBeNull();
    release();
    await expect(page).toHaveURL(/\/auth\/set-password/);
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(instance));
    const session = JSON.parse(stored ?? '{}') as Record<'access_token' | 'refresh_token', string>;
    expect(session).toMatchObject({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_at: expect.any(Number),
    });
    // The session opens no other screen before the password is set.
    await page.goto('/admin/accounts');
    await expect(page).toHaveURL(/\/auth\/set-password/);
    // No URL except the link and no console message contains a token.
    const findToken = (token: string): string[] => recorded.filter((text) => text.includes(token));
    expect(findToken(tokenHash)).toEqual([`${instance.url}${linkFor(tokenHash)}`]);
    expect([...findToken(session.access_token), ...findToken(session.refresh_token)]).toEqual([]);
  },
);

test.describe('with a session', () => {
  test.use({ as: 'administrator' });

  test(
    'opens the accounts and sets no marker without setup=true',
    { tag: ['@C026', '@C028', '@C031'] },
    async ({ page }) => {
      for (const query of ['', '?setup=false', '?setup=TRUE', '?setup=1']) {
        await page.goto(`/auth/callback${query}`);
        await expect(page, query).toHaveURL(/\/admin\/accounts/);
        expect(await readMarker(page), query).toBeNull();
      }
    },
  );

  test(
    'opens the set-password screen for setup=true',
    { tag: ['@C026', '@C027', '@C029'] },
    async ({ page }) => {
      await page.goto('/auth/callback?setup=true');
      await expect(page).toHaveURL(/\/auth\/set-password/);
      await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
      expect(await readMarker(page)).not.toBeNull();
    },
  );

  test('opens the set-password screen with the marker only', { tag: '@C030' }, async ({ page }) => {
    await page.goto('/admin/logs');
    await setMarker(page);
    await page.goto('/auth/callback');
    await expect(page).toHaveURL(/\/auth\/set-password/);
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  });

  test(
    'replaces the current session by an emailed link and shows the email of the user',
    { tag: '@C025' },
    async ({ page, users }) => {
      const email = uniqueEmail();
      await page.goto(linkFor(await users.invite(email)));
      await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
      await expect(page.getByText(email)).toBeVisible();
    },
  );

  test(
    'ignores tokens of another user in a fragment',
    { tag: ['@C033', '@CON-08'] },
    async ({ page, users, instance }) => {
      const otherUser = await users.create();
      const { access_token: token, refresh_token: refresh } = otherUser.session;
      await page.goto(`/auth/callback#access_token=${token}&refresh_token=${refresh}&type=magiclink`);
      await expect(page).toHaveURL(/\/admin\/accounts/);
      await expect(toastWith(page, 'Link ignored')).toContainText('admin@example.com');
      const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(instance));
      expect(stored).toContain('admin@example.com');
    },
  );
});

test('redeems a sign-in link on a click, not on opening', async ({ page, users, instance }) => {
  const { email } = await users.create();
  await requestOk(instance, '/auth/v1/otp', { body: { email } });
  const verifyMethods: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/verify')) verifyMethods.push(request.method());
  });
  const link = await emailedLink(instance, email, 'magiclink');
  await page.goto(link.pathname + link.search);
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await expect(button).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/callback$/);
  expect(verifyMethods).toEqual([]);
  await button.click();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('creates a session from tokens in a fragment', { tag: ['@C025', '@C031'] }, async ({ page, users }) => {
  const { session } = await users.create();
  await page.goto(
    `/auth/callback#access_token=${session.access_token}&refresh_token=${session.refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`,
  );
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test(
  'exchanges a code with the verifier of the requesting browser',
  { tag: '@C025' },
  async ({ page, users, instance }) => {
    const { email } = await users.create();
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    await requestOk(instance, '/auth/v1/recover', {
      body: { email, code_challenge: challenge, code_challenge_method: 's256' },
    });
    const link = await emailedLink(instance, email, 'recovery');
    expect(link.pathname).toBe('/auth/v1/verify');
    // The link opens SITE_URL, where the requesting browser stores its verifier.
    await page.goto(`${link.origin}/auth`);
    await page.evaluate(
      ([key, value]) => localStorage.setItem(`${key}-code-verifier`, JSON.stringify(value)),
      ['sb-localhost-auth-token', verifier],
    );
    await page.goto(link.href);
    await page.getByRole('button').click();
    await expect(page).toHaveURL(/\/(admin\/accounts|auth\/set-password)/);
    expect(await page.evaluate(() => localStorage.getItem('sb-localhost-auth-token'))).toContain(email);
    expect(
      await page.evaluate(() => localStorage.getItem('sb-localhost-auth-token-code-verifier')),
    ).toBeNull();
  },
);

test(
  'removes the marker and opens the sign-in form without a session',
  { tag: '@C032' },
  async ({ page }) => {
    await page.goto('/auth');
    await setMarker(page);
    await page.goto('/auth/callback');
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    expect(await readMarker(page)).toBeNull();
  },
);

test(
  'opens the sign-in form with a reason for a garbled link',
  { tag: ['@C033', '@X11'] },
  async ({ page, expectMessage }) => {
    expectMessage(failedLoad(403));
    await page.goto(linkFor('garbled'));
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    await expect(toastWith(page, linkErrorTitle)).toHaveAttribute('data-variant', 'destructive');
    await expect(toastWith(page, linkErrorTitle)).toContainText('The link is incomplete.');
    expect(await readMarker(page)).toBeNull();
  },
);

test(
  'shows a fixed message for an error in the URL',
  { tag: ['@C033', '@X11', '@CON-02'] },
  async ({ page }) => {
    await page.goto(
      '/auth/callback?setup=true#error=access_denied&error_code=otp_expired&error_description=call+555-0100',
    );
    await expect(page).toHaveURL(/\/auth$/);
    await expect(toastWith(page, linkErrorTitle)).toContainText('expired or has already been used');
    await expect(page.getByText('555-0100')).toHaveCount(0);
    expect(await readMarker(page)).toBeNull();
  },
);

type EndLink = (context: { tokenHash: string; email: string }) => Promise<unknown>;

test.describe('ended links', () => {
  const cases = {
    used: /already been used.*sign in with it/,
    expired: /has expired.*send it again/,
    revoked: /no longer valid.*new invitation/,
    'used by a reset': /replaced by a newer email.*Forgot password/,
  };
  for (const kind of ['used', 'expired', 'revoked', 'used by a reset'] as const) {
    test(
      `opens the sign-in form with a reason for a link that was ${kind}`,
      { tag: ['@C033', '@X11'] },
      async ({ page, users, instance, sql, expectMessage }) => {
        expectMessage(failedLoad(403));
        const email = uniqueEmail();
        const invitation = await users.invite(email);
        const ends: Record<typeof kind, EndLink> = {
          used: async ({ tokenHash }) => acceptLink(instance, tokenHash),
          expired: async () => {
            await sql(
              `update private.invitation_tokens set expires_at = now() - interval '1 minute'
             where invitation_id = (select id from private.invitations where email = $1)`,
              [email],
            );
          },
          revoked: async () => {
            await sql(`update private.invitations set status = 'revoked' where email = $1`, [email]);
          },
          'used by a reset': async ({ tokenHash }) => {
            await acceptLink(instance, tokenHash);
          },
        };
        await ends[kind]({ tokenHash: invitation, email });
        let link = linkFor(invitation);
        if (kind === 'used by a reset') {
          await requestOk(instance, '/auth/v1/recover', { body: { email } });
          const recovery = tokenHashIn((await emailedLink(instance, email, 'recovery')).href);
          const body = { type: 'recovery', token_hash: recovery };
          const session = (await requestOk(instance, '/auth/v1/verify', { body })) as {
            access_token: string;
          };
          await requestOk(instance, '/auth/v1/user', {
            method: 'PUT',
            token: session.access_token,
            body: { password: 'set by the reset 5' },
          });
          link = linkFor(recovery, 'recovery');
        }
        await page.goto(link);
        await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
        await expect(page).toHaveURL(/\/auth$/);
        await expect(toastWith(page, linkErrorTitle)).toContainText(cases[kind]);
        expect(await readMarker(page)).toBeNull();
        expect(
          await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('-auth-token'))),
        ).toEqual([]);
      },
    );
  }
});

test('refers to the invitation email and sets no password in a session that was not created from an email', async ({
  page,
  users,
  sql,
  expectMessage,
}) => {
  expectMessage(failedLoad(403));
  const email = uniqueEmail();
  await page.goto(linkFor(await users.invite(email)));
  await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  // Simulates a sign-in with an OAuth provider.
  const userId = `(select id from auth.users where email = $1)`;
  await sql(
    `update auth.mfa_amr_claims set authentication_method = 'oauth' where session_id in
    (select id from auth.sessions where user_id = ${userId})`,
    [email],
  );
  await sql(`update auth.sessions set from_link = null where user_id = ${userId}`, [email]);
  await passwordField(page).fill(testPassword);
  await page.getByLabel('Confirm Password').fill(testPassword);
  await page.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(toastWith(page, 'Error setting password')).toContainText(
    `Open the link in the invitation email to ${email}`,
  );
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await sql('select encrypted_password from auth.users where email = $1', [email])).toEqual([
    { encrypted_password: null },
  ]);
});

test(
  'accepts a link that automated clients opened before',
  { tag: '@X12' },
  async ({ page, users, instance, openBrowser }) => {
    const email = uniqueEmail();
    const path = linkFor(await users.invite(email));
    await fetch(instance.url + path);
    await fetch(instance.url + path, { method: 'HEAD' });
    const scanner = await openBrowser(null);
    await scanner.goto(path);
    await expect(scanner.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    await page.goto(path);
    await expect(page.getByText(email)).toBeVisible();
    await page.getByLabel('Password', { exact: true }).fill('lantern on the pier 7');
    await page.getByLabel('Confirm Password').fill('lantern on the pier 7');
    const calls = requestsTo(page, /\/auth\/v1\/user/, 'PUT');
    await page.getByRole('button', { name: 'Set Password & Continue' }).click();
    await expect(page).toHaveURL(/\/admin\/accounts/);
    expect(calls).toHaveLength(1);
  },
);
