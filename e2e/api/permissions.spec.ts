/** Permissions in the console and in the service. */
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openAdmins } from '../support/admins-page.ts';
import { componentPage } from '../support/component-page.ts';
import { openPalette } from '../support/palette.ts';
import { account, request, deleteRows, insertRows, listRows, unique } from '../support/api.ts';

const why = "You don't have permission to access this page. Platform admin privileges are required.";

test(
  'shows a user without a role only the accounts of their memberships',
  { tag: ['@C222', '@C228', '@C253'] },
  async ({ users, instance, openBrowser }) => {
    const user = await users.create({ isAdministrator: false });
    const word = unique('member');
    const [memberAccount] = await insertRows(instance, 'accounts', [
      account(`${word} Own`),
      account(`${word} Other`),
    ]);
    await insertRows(instance, 'account_members', [{ account_id: memberAccount?.['id'], user_id: user.id }]);
    const page = await openBrowser(user);
    const memberships = page.waitForResponse(/\/rest\/v1\/account_members/);
    await page.goto('/admin/accounts');
    await expect(page.getByRole('row', { name: new RegExp(`${word} Own`) })).toBeVisible();
    await expect(page.getByText(`${word} Other`)).toHaveCount(0);
    const query = new URL((await memberships).url()).searchParams;
    expect(query.get('user_id')).toBe(`eq.${user.id}`);
    expect(query.get('status')).toBe('eq.active');
    expect(query.get('select')).toContain('accounts');
    expect(await (await memberships).json()).toMatchObject([
      { status: 'active', accounts: { name: `${word} Own` } },
    ]);
  },
);

test(
  'denies the Admins screen and its requests without the role',
  { tag: ['@C223', '@C224', '@C225', '@C229', '@X01', '@CON-10', '@I29'] },
  async ({ users, instance, openBrowser }) => {
    const user = await users.create({ isAdministrator: false });
    const [row] = await insertRows(instance, 'accounts', [account(unique('membership'))]);
    await insertRows(instance, 'account_members', [{ account_id: row?.['id'], user_id: user.id }]);
    const page = await openBrowser(user);
    await page.goto('/admin/platform-admins');
    await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
    await expect(page.getByText(why, { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: `Access Denied - ${why}` })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to accounts' })).toHaveAttribute(
      'href',
      '/admin/accounts',
    );
    await expect(page.getByRole('table')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Invite Admin' })).toHaveCount(0);

    const token = user.session.access_token;
    expect(await request(instance, '/rest/v1/user_invitations?select=*', { token })).toEqual({
      status: 200,
      body: [],
    });
    const email = `${unique('rejected')}@example.org`;
    const rejected = await request(instance, '/functions/v1/send-user-invitation', {
      token,
      body: { email, full_name: 'No One' },
    });
    expect(rejected.status).toBe(403);
    expect(await listRows(instance, 'user_invitations', `email=eq.${email}`)).toEqual([]);
  },
);

test(
  'opens the Admins screen with the role and no membership',
  { tag: ['@C223', '@C229'] },
  async ({ users, instance, openBrowser }) => {
    const user = await users.create();
    expect(await listRows(instance, 'account_members', `user_id=eq.${user.id}`)).toEqual([]);
    const page = await openBrowser(user);
    await page.goto('/admin/platform-admins');
    await expect(page.getByRole('table', { name: 'Admins' })).toBeVisible();
    await expect(page.getByText('Access Denied')).toHaveCount(0);
  },
);

test(
  'denies the next visit after the role is removed',
  { tag: '@C229' },
  async ({ users, instance, openBrowser }) => {
    const user = await users.create();
    const page = await openBrowser(user);
    await openAdmins(page);
    await deleteRows(instance, 'user_roles', `user_id=eq.${user.id}`);
    await page.reload();
    await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
  },
);

test.describe('while the role is loading', () => {
  for (const as of ['administrator', 'plain'] as const) {
    test.describe(as, () => {
      test.use({ as });

      test(
        `shows neither the table nor the denial to ${as}`,
        { tag: ['@C227', '@C252'] },
        async ({ page, users }) => {
          const { id } = await users[as]();
          const { release } = await holdRequests(page, /\/rest\/v1\/user_roles/);
          const roleRequest = page.waitForRequest(/\/rest\/v1\/user_roles/);
          await page.goto('/admin/platform-admins');
          const query = new URL((await roleRequest).url()).searchParams;
          expect(query.get('user_id')).toBe(`eq.${id}`);
          expect(query.get('role')).toBe('eq.platform_admin');
          await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible();
          await expect(page.getByRole('table')).toHaveCount(0);
          await expect(page.getByText('Access Denied')).toHaveCount(0);
          release();
          if (as === 'plain') await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
          else await expect(page.getByRole('table', { name: 'Admins' })).toBeVisible();
        },
      );
    });
  }
});

test(
  'shows the error when a user without the role creates an account',
  { tag: ['@C222', '@RLS-08'] },
  async ({ users, instance, openBrowser, expectMessage }) => {
    expectMessage(/status of 403/);
    const page = await openBrowser(await users.create({ isAdministrator: false }));
    const name = unique('not-allowed');
    await page.goto('/admin/accounts');
    await expect(page.getByText('No accounts yet', { exact: true })).toBeVisible();
    await expect(page.getByText('Create your first account to get started', { exact: true })).toBeVisible();
    const note = page.getByRole('note');
    await expect(note).toContainText('You are not an active member of an account.');
    await expect(note).toContainText('Ask an administrator for access.');
    // The palette does not offer it.
    await openPalette(page);
    await page.keyboard.insertText('add account');
    await expect(page.getByText('No results')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add Account' }).click();
    const form = page.getByRole('dialog', { name: 'Add New Account' });
    await expect(form.getByRole('note')).toContainText('Only administrators can create accounts');
    expect(await violationsOn(page)).toEqual([]);
    await form.getByLabel('Account Name').fill(name);
    await form.getByLabel('Type').selectOption('organization');
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(toastWith(page, 'Error creating account')).toContainText('Ask an administrator for access.');
    await expect(form.getByLabel('Account Name')).toHaveValue(name);
    expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toEqual([]);
  },
);

const guarded = `
  import { createElement as h } from 'react';
  import { createRoot } from 'react-dom/client';
  import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
  import { RequireAdministrator } from './app/require-administrator.tsx';
  import { startSessionStore } from './session/session-store.ts';
  startSessionStore();
  const guard = h(RequireAdministrator, { fallback: h('p', null, 'Ask an administrator') }, h('p', null, 'The screen'));
  createRoot(document.getElementById('root')).render(h(QueryClientProvider, { client: new QueryClient() }, guard));
`;

test('shows the fallback of the guard', { tag: '@C226' }, async ({ users, instance, openBrowser }) => {
  for (const [user, shown, hidden] of [
    [await users.plain(), 'Ask an administrator', 'The screen'],
    [await users.administrator(), 'The screen', 'Ask an administrator'],
  ] as const) {
    const page = await openBrowser(user);
    await page.goto(await componentPage(page, instance, guarded));
    await expect(page.getByText(shown, { exact: true })).toBeVisible();
    await expect(page.getByText(hidden, { exact: true })).toHaveCount(0);
    await expect(page.getByText('Access Denied')).toHaveCount(0);
  }
});
