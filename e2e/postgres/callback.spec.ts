/** /auth/callback: what a mailed link leads to. On Postgres, so that links can be made to expire. */
import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, failedLoad, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { passwordField, requestsTo } from '../support/forms.ts';
import { acceptLink, emailedLink, secret, storageKey, tokenHashIn } from '../support/users.ts';
import { requestOk, unique } from '../support/api.ts';

test.use({ external: true });

const marker = 'needs_password_setup';
const markerOf = (page: Page): Promise<string | null> =>
  page.evaluate((key) => sessionStorage.getItem(key), marker);
const putMarker = (page: Page): Promise<void> =>
  page.evaluate((key) => sessionStorage.setItem(key, 'true'), marker);
const newAddress = (): string => `${unique('invited')}@example.org`;
const linkFor = (tokenHash: string, type = 'invite'): string =>
  `/auth/callback?setup=true&token_hash=${encodeURIComponent(tokenHash)}&type=${type}`;
const refusal = 'The link could not be used';

test('C003 C004 C024 C025 C026 C027 C029 CON-05 a mailed link becomes a session, and its token leaves the address', async ({
  page,
  people,
  product,
}) => {
  const tokenHash = await people.invite(newAddress());
  const told: string[] = [];
  page.on('request', (request) => told.push(request.url()));
  page.on('console', (message) => told.push(message.text()));
  const { release } = await holdRequests(page, /\/auth\/v1\/verify/);
  const exchange = page.waitForRequest(/\/auth\/v1\/verify/);
  await page.goto(linkFor(tokenHash));
  await expect(page.getByText('Completing authentication...', { exact: true })).toBeVisible();
  const request = await exchange;
  expect(request.method()).toBe('POST');
  expect(request.postDataJSON()).toMatchObject({ type: 'invite', token_hash: tokenHash });
  expect(page.url()).not.toContain(tokenHash);
  expect(await markerOf(page)).not.toBeNull();
  release();
  await expect(page).toHaveURL(/\/auth\/set-password/);
  await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(product));
  const session = JSON.parse(stored ?? '{}') as Record<'access_token' | 'refresh_token', string>;
  expect(session).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_at: expect.any(Number),
  });
  // The link's session opens nothing else before the password is set.
  await page.goto('/admin/accounts');
  await expect(page).toHaveURL(/\/auth\/set-password/);
  // No address and no line of the console names a token, but the link itself.
  const naming = (token: string): string[] => told.filter((text) => text.includes(token));
  expect(naming(tokenHash)).toEqual([`${product.url}${linkFor(tokenHash)}`]);
  expect([...naming(session.access_token), ...naming(session.refresh_token)]).toEqual([]);
});

test.describe('with a session', () => {
  test.use({ as: 'administrator' });

  test('C026 C028 C031 anything but setup=true sets no marker and leads to the accounts', async ({
    page,
  }) => {
    for (const query of ['', '?setup=false', '?setup=TRUE', '?setup=1']) {
      await page.goto(`/auth/callback${query}`);
      await expect(page, query).toHaveURL(/\/admin\/accounts/);
      expect(await markerOf(page), query).toBeNull();
    }
  });

  test('C026 C027 C029 setup=true leads to the password', async ({ page }) => {
    await page.goto('/auth/callback?setup=true');
    await expect(page).toHaveURL(/\/auth\/set-password/);
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    expect(await markerOf(page)).not.toBeNull();
  });

  test('C030 the marker alone leads to the password', async ({ page }) => {
    await page.goto('/admin/logs');
    await putMarker(page);
    await page.goto('/auth/callback');
    await expect(page).toHaveURL(/\/auth\/set-password/);
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  });

  test('C025 a mailed link replaces the session that is there and says whose password it is', async ({
    page,
    people,
  }) => {
    const email = newAddress();
    await page.goto(linkFor(await people.invite(email)));
    await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    await expect(page.getByText(email)).toBeVisible();
  });

  test('C033 CON-08 tokens of somebody else in a fragment are ignored', async ({ page, people, product }) => {
    const stranger = await people.make();
    const { access_token: token, refresh_token: refresh } = stranger.session;
    await page.goto(`/auth/callback#access_token=${token}&refresh_token=${refresh}&type=magiclink`);
    await expect(page).toHaveURL(/\/admin\/accounts/);
    await expect(toastWith(page, 'Link ignored')).toContainText('admin@example.com');
    const stored = await page.evaluate((key) => localStorage.getItem(key), storageKey(product));
    expect(stored).toContain('admin@example.com');
  });
});

test('a sign-in link is used at a click, not by opening it', async ({ page, people, product }) => {
  const { email } = await people.make();
  await requestOk(product, '/auth/v1/otp', { body: { email } });
  const used: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/verify')) used.push(request.method());
  });
  const link = await emailedLink(product, email, 'magiclink');
  await page.goto(link.pathname + link.search);
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await expect(button).toBeVisible();
  await expect(page).toHaveURL(/\/auth\/callback$/);
  expect(used).toEqual([]);
  await button.click();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('C025 C031 tokens in a fragment become a session', async ({ page, people }) => {
  const { session } = await people.make();
  await page.goto(
    `/auth/callback#access_token=${session.access_token}&refresh_token=${session.refresh_token}&expires_in=3600&token_type=bearer&type=magiclink`,
  );
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
});

test('C025 a code is exchanged with the verifier of the browser that asked', async ({
  page,
  people,
  product,
}) => {
  const { email } = await people.make();
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  await requestOk(product, '/auth/v1/recover', {
    body: { email, code_challenge: challenge, code_challenge_method: 's256' },
  });
  const link = await emailedLink(product, email, 'recovery');
  expect(link.pathname).toBe('/auth/v1/verify');
  // The link goes to SITE_URL, where the asking browser keeps its verifier.
  await page.goto(`${link.origin}/auth`);
  await page.evaluate(
    ([key, value]) => localStorage.setItem(`${key}-code-verifier`, JSON.stringify(value)),
    ['sb-localhost-auth-token', verifier],
  );
  await page.goto(link.href);
  await page.getByRole('button').click();
  await expect(page).toHaveURL(/\/(admin\/accounts|auth\/set-password)/);
  expect(await page.evaluate(() => localStorage.getItem('sb-localhost-auth-token'))).toContain(email);
  expect(await page.evaluate(() => localStorage.getItem('sb-localhost-auth-token-code-verifier'))).toBeNull();
});

test('C032 without a session the marker goes and the sign-in form opens', async ({ page }) => {
  await page.goto('/auth');
  await putMarker(page);
  await page.goto('/auth/callback');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await markerOf(page)).toBeNull();
});

test('C033 X11 a garbled link ends at the sign-in form with a reason', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(403));
  await page.goto(linkFor('garbled'));
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(toastWith(page, refusal)).toHaveAttribute('data-variant', 'destructive');
  await expect(toastWith(page, refusal)).toContainText('The link is incomplete.');
  expect(await markerOf(page)).toBeNull();
});

test('C033 X11 CON-02 an error in the address is told in our words only', async ({ page }) => {
  await page.goto(
    '/auth/callback?setup=true#error=access_denied&error_code=otp_expired&error_description=call+555-0100',
  );
  await expect(page).toHaveURL(/\/auth$/);
  await expect(toastWith(page, refusal)).toContainText('expired or has already been used');
  await expect(page.getByText('555-0100')).toHaveCount(0);
  expect(await markerOf(page)).toBeNull();
});

type End = (context: { tokenHash: string; email: string }) => Promise<unknown>;

test.describe('links that no longer work', () => {
  const cases = {
    used: /already been used.*sign in with it/,
    expired: /has expired.*send it again/,
    revoked: /no longer valid.*new invitation/,
    'used by a reset': /newer mail has replaced it.*Forgot password/,
  };
  for (const kind of ['used', 'expired', 'revoked', 'used by a reset'] as const) {
    test(`C033 X11 a link that was ${kind} ends at the sign-in form with a reason`, async ({
      page,
      people,
      product,
      sql,
      expectMessage,
    }) => {
      expectMessage(failedLoad(403));
      const email = newAddress();
      const invitation = await people.invite(email);
      const ends: Record<typeof kind, End> = {
        used: async ({ tokenHash }) => acceptLink(product, tokenHash),
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
          await acceptLink(product, tokenHash);
        },
      };
      await ends[kind]({ tokenHash: invitation, email });
      let link = linkFor(invitation);
      if (kind === 'used by a reset') {
        await requestOk(product, '/auth/v1/recover', { body: { email } });
        const recovery = tokenHashIn((await emailedLink(product, email, 'recovery')).href);
        const body = { type: 'recovery', token_hash: recovery };
        const session = (await requestOk(product, '/auth/v1/verify', { body })) as { access_token: string };
        await requestOk(product, '/auth/v1/user', {
          method: 'PUT',
          token: session.access_token,
          body: { password: 'set by the reset 5' },
        });
        link = linkFor(recovery, 'recovery');
      }
      await page.goto(link);
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
      await expect(page).toHaveURL(/\/auth$/);
      await expect(toastWith(page, refusal)).toContainText(cases[kind]);
      expect(await markerOf(page)).toBeNull();
      expect(
        await page.evaluate(() => Object.keys(localStorage).filter((key) => key.endsWith('-auth-token'))),
      ).toEqual([]);
    });
  }
});

test('somebody invited whose session shows no mailbox is told to open the invitation, and gets no password', async ({
  page,
  people,
  sql,
  expectMessage,
}) => {
  expectMessage(failedLoad(403));
  const email = newAddress();
  await page.goto(linkFor(await people.invite(email)));
  await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  // As a sign-in by a provider leaves it.
  const own = `(select id from auth.users where email = $1)`;
  await sql(
    `update auth.mfa_amr_claims set authentication_method = 'oauth' where session_id in
    (select id from auth.sessions where user_id = ${own})`,
    [email],
  );
  await sql(`update auth.sessions set tag = null where user_id = ${own}`, [email]);
  await passwordField(page).fill(secret);
  await page.getByLabel('Confirm Password').fill(secret);
  await page.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(toastWith(page, 'Error setting password')).toContainText(
    `Open the link in the invitation email to ${email}`,
  );
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(await sql('select encrypted_password from auth.users where email = $1', [email])).toEqual([
    { encrypted_password: null },
  ]);
});

test('X12 a link that machines opened before still works for the person', async ({
  page,
  people,
  product,
  openBrowser,
}) => {
  const email = newAddress();
  const path = linkFor(await people.invite(email));
  await fetch(product.url + path);
  await fetch(product.url + path, { method: 'HEAD' });
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
});
