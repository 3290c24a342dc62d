/** Checks the requests that the console sends. */
import type { Page, Request } from '@playwright/test';
import { expect, test } from '../support/console-fixtures.ts';
import { openAccounts, openDialog, rowFor } from '../support/accounts-page.ts';
import { requestsTo } from '../support/forms.ts';
import { sessionIdOf, testPassword } from '../support/users.ts';
import { unique } from '../support/api.ts';

const getQuery = (request: Request): Record<string, string> =>
  Object.fromEntries(new URL(request.url()).searchParams);
const waitForRequest = (page: Page, url: RegExp, method: string): Promise<Request> =>
  page.waitForRequest((request) => url.test(request.url()) && request.method() === method);

test(
  'signed out, sends the publishable key as API key and as bearer token',
  { tag: ['@C230', '@C232'] },
  async ({ page, users, instance }) => {
    const { email } = await users.plain();
    await page.goto('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(testPassword);
    const call = page.waitForRequest(/\/auth\/v1\/token/);
    await page.getByRole('button', { name: 'Sign In' }).click();
    const request = await call;
    expect(request.method()).toBe('POST');
    expect(getQuery(request)).toMatchObject({ grant_type: 'password' });
    expect(request.headers()).toMatchObject({
      apikey: instance.anonKey(),
      authorization: `Bearer ${instance.anonKey()}`,
    });
    await expect(page).toHaveURL(/\/admin\/accounts/);
  },
);

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  test(
    'reads profile, role and memberships with the access token',
    { tag: ['@C153', '@C154', '@C164', '@C165', '@C228', '@C231', '@C248', '@C252', '@C253'] },
    async ({ page, users, instance }) => {
      const { id, session } = await users.administrator();
      const calls = ['profiles', 'user_roles', 'account_members'].map((table) =>
        waitForRequest(page, new RegExp(`/rest/v1/${table}\\?`), 'GET'),
      );
      await page.goto('/admin/logs');
      const [profile, role, memberships] = await Promise.all(calls);
      for (const request of [profile, role, memberships]) {
        const headers = request?.headers() ?? {};
        expect(headers['apikey']).toBe(instance.anonKey());
        expect(sessionIdOf(headers['authorization'] ?? '')).toBe(sessionIdOf(session.access_token));
      }
      if (!profile || !role || !memberships) throw new Error('unreachable');
      expect(getQuery(profile)).toEqual({ select: '*', id: `eq.${id}` });
      expect(profile.headers()['accept']).toContain('application/vnd.pgrst.object+json');
      expect(getQuery(role)).toMatchObject({ user_id: `eq.${id}`, role: 'eq.platform_admin' });
      expect(getQuery(memberships)).toMatchObject({ user_id: `eq.${id}`, status: 'eq.active' });
      expect(getQuery(memberships)['select']).toMatch(/accounts\(/);
    },
  );

  test(
    'reads one page of accounts with all columns, newest first',
    { tag: ['@C250', '@C264'] },
    async ({ page }) => {
      const call = waitForRequest(page, /\/rest\/v1\/accounts\?/, 'GET');
      await openAccounts(page);
      expect(getQuery(await call)).toEqual({ select: '*', order: 'created_at.desc,id.desc', limit: '200' });
    },
  );

  test(
    'creates an account with nine fields and an idempotency key',
    { tag: ['@C106', '@C251', '@C265', '@X05'] },
    async ({ page, users }) => {
      const { id } = await users.administrator();
      const name = `${unique('nine')} Fields!`;
      await openAccounts(page);
      const form = await openDialog(page);
      await form.getByLabel('Account Name').fill(name);
      await form.getByLabel('Type').selectOption('organization');
      await form.getByLabel('State').fill('CO');
      const call = waitForRequest(page, /\/rest\/v1\/accounts/, 'POST');
      await form.getByRole('button', { name: 'Create Account' }).click();
      const request = await call;
      expect(request.postDataJSON()).toEqual({
        name,
        slug: name.toLowerCase().replace(' fields!', '-fields'),
        account_type: 'organization',
        address: null,
        city: null,
        state: 'CO',
        zip_code: null,
        status: 'active',
        created_by: id,
      });
      expect(request.headers()['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
      await expect(rowFor(page, name)).toBeVisible();
    },
  );

  test('reads the invitations with all columns, newest first', { tag: '@C254' }, async ({ page }) => {
    const call = waitForRequest(page, /\/rest\/v1\/user_invitations\?/, 'GET');
    await page.goto('/admin/platform-admins');
    expect(getQuery(await call)).toMatchObject({ select: '*', order: 'invited_at.desc' });
    await expect(page.getByRole('table')).toBeVisible();
  });

  test('reads one row of settings', { tag: '@C260' }, async ({ page }) => {
    const call = waitForRequest(page, /\/rest\/v1\/notification_settings\?/, 'GET');
    await page.goto('/admin/notifications');
    expect(getQuery(await call)).toMatchObject({ limit: '1' });
    await expect(page.getByRole('button', { name: 'Save Settings' })).toBeVisible();
  });

  test('sends no auth request on navigation', { tag: '@C234' }, async ({ page }) => {
    await openAccounts(page);
    const requests = requestsTo(page, /\/auth\/v1\//);
    for (const name of ['Admins', 'Notifications', 'Styleguide', 'Logs', 'Accounts']) {
      await page.getByRole('link', { name, exact: true }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    expect(requests).toHaveLength(0);
  });

  test(
    'fetches the current user with the access token on the password screen',
    { tag: '@C235' },
    async ({ page, users }) => {
      const { session } = await users.administrator();
      const call = waitForRequest(page, /\/auth\/v1\/user$/, 'GET');
      await page.goto('/auth/set-password?setup=true');
      const authorization = (await call).headers()['authorization'] ?? '';
      expect(sessionIdOf(authorization)).toBe(sessionIdOf(session.access_token));
      await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
    },
  );

  test(
    'sends a strict content security policy and no secret',
    { tag: ['@X17', '@CON-06', '@CON-12'] },
    async ({ page, instance }) => {
      const bodies: string[] = [];
      const foreign: string[] = [];
      page.on('response', async (response) => {
        if (!response.url().startsWith(instance.url)) foreign.push(response.url());
        if (/\.(js|css|html)$|\/admin\//.test(new URL(response.url()).pathname)) {
          bodies.push(await response.text().catch(() => ''));
        }
      });
      const document = await page.goto('/admin/accounts');
      await openAccounts(page);
      const policy = document?.headers()['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
      expect(bodies.length).toBeGreaterThan(2);
      for (const text of bodies) {
        expect(text).not.toContain(instance.serviceRoleKey());
        expect(text).not.toContain('sb_secret_');
      }
      expect(foreign).toEqual([]);
    },
  );
});
