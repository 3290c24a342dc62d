/** Who may see what, on the screen and behind it. */
import { expect, holdRequests, test, toastWith } from './support/console-fixtures.ts';
import { componentPage } from './support/component-page.ts';
import { account, request, deleteRows, insertRows, listRows, unique } from './support/api.ts';

const why = "You don't have permission to access this page. Platform admin privileges are required.";

test('C222 C228 C253 somebody without a role reaches the accounts and sees the own ones only', async ({
  people,
  product,
  openBrowser,
}) => {
  const person = await people.make({ platformAdmin: false });
  const word = unique('member');
  const [own] = await insertRows(product, 'accounts', [account(`${word} Own`), account(`${word} Other`)]);
  await insertRows(product, 'account_members', [{ account_id: own?.['id'], user_id: person.id }]);
  const page = await openBrowser(person);
  const memberships = page.waitForResponse(/\/rest\/v1\/account_members/);
  await page.goto('/admin/accounts');
  await expect(page.getByRole('row', { name: new RegExp(`${word} Own`) })).toBeVisible();
  await expect(page.getByText(`${word} Other`)).toHaveCount(0);
  const query = new URL((await memberships).url()).searchParams;
  expect(query.get('user_id')).toBe(`eq.${person.id}`);
  expect(query.get('status')).toBe('eq.active');
  expect(query.get('select')).toContain('accounts');
  expect(await (await memberships).json()).toMatchObject([
    { status: 'active', accounts: { name: `${word} Own` } },
  ]);
});

test('C223 C224 C225 C229 X01 CON-10 [I29] without the role the Admins screen is refused, by the service too', async ({
  people,
  product,
  openBrowser,
}) => {
  const person = await people.make({ platformAdmin: false });
  const [row] = await insertRows(product, 'accounts', [account(unique('membership'))]);
  await insertRows(product, 'account_members', [{ account_id: row?.['id'], user_id: person.id }]);
  const page = await openBrowser(person);
  await page.goto('/admin/platform-admins');
  await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
  await expect(page.getByText(why, { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: `Access Denied - ${why}` })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to accounts' })).toHaveAttribute('href', '/admin/accounts');
  await expect(page.getByRole('table')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Invite Admin' })).toHaveCount(0);

  const token = person.session.access_token;
  expect(await request(product, '/rest/v1/user_invitations?select=*', { token })).toEqual({
    status: 200,
    body: [],
  });
  const email = `${unique('refused')}@example.org`;
  const refused = await request(product, '/functions/v1/send-user-invitation', {
    token,
    body: { email, full_name: 'No One' },
  });
  expect(refused.status).toBe(403);
  expect(await listRows(product, 'user_invitations', `email=eq.${email}`)).toEqual([]);
});

test('C223 C229 the role alone opens it, without any membership', async ({
  people,
  product,
  openBrowser,
}) => {
  const person = await people.make();
  expect(await listRows(product, 'account_members', `user_id=eq.${person.id}`)).toEqual([]);
  const page = await openBrowser(person);
  await page.goto('/admin/platform-admins');
  await expect(page.getByRole('table', { name: 'Admins' })).toBeVisible();
  await expect(page.getByText('Access Denied')).toHaveCount(0);
});

test('C229 the role is read anew: taken away, the next visit is refused', async ({
  people,
  product,
  openBrowser,
}) => {
  const person = await people.make();
  const page = await openBrowser(person);
  await page.goto('/admin/platform-admins');
  await expect(page.getByRole('table', { name: 'Admins' })).toBeVisible();
  await deleteRows(product, 'user_roles', `user_id=eq.${person.id}`);
  await page.reload();
  await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
});

test.describe('while the role is being asked for', () => {
  for (const as of ['administrator', 'plain'] as const) {
    test.describe(as, () => {
      test.use({ as });

      test(`C227 C252 neither table nor refusal shows to ${as}`, async ({ page, people }) => {
        const { id } = await people[as]();
        const { release } = await holdRequests(page, /\/rest\/v1\/user_roles/);
        const asked = page.waitForRequest(/\/rest\/v1\/user_roles/);
        await page.goto('/admin/platform-admins');
        const query = new URL((await asked).url()).searchParams;
        expect(query.get('user_id')).toBe(`eq.${id}`);
        expect(query.get('role')).toBe('eq.platform_admin');
        await expect(page.getByRole('main').getByRole('status', { name: 'Loading' })).toBeVisible();
        await expect(page.getByRole('table')).toHaveCount(0);
        await expect(page.getByText('Access Denied')).toHaveCount(0);
        release();
        if (as === 'plain') await expect(page.getByText('Access Denied', { exact: true })).toBeVisible();
        else await expect(page.getByRole('table', { name: 'Admins' })).toBeVisible();
      });
    });
  }
});

test('C222 RLS-08 somebody without the role cannot create an account, and is told so', async ({
  people,
  product,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(/status of 403/);
  const page = await openBrowser(await people.make({ platformAdmin: false }));
  const name = unique('not-allowed');
  await page.goto('/admin/accounts');
  await expect(page.getByText('You have no accounts to see')).toBeVisible();
  await expect(page.getByText('No accounts yet')).toHaveCount(0);
  await page.goto('/admin/accounts?new=true');
  const form = page.getByRole('dialog', { name: 'Add New Account' });
  await form.getByLabel('Account Name').fill(name);
  await form.getByLabel('Type').selectOption('organization');
  await form.getByRole('button', { name: 'Create Account' }).click();
  await expect(toastWith(page, 'Error creating account')).toContainText(
    'Ask an administrator to give you access.',
  );
  await expect(form.getByLabel('Account Name')).toHaveValue(name);
  expect(await listRows(product, 'accounts', `name=eq.${name}`)).toEqual([]);
});

const guarded = `
  import { createElement as h } from 'react';
  import { createRoot } from 'react-dom/client';
  import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
  import { RequirePlatformAdmin } from './screens/access-denied/require-platform-admin.tsx';
  import { startSessionStore } from './session/session-store.ts';
  startSessionStore();
  const guard = h(RequirePlatformAdmin, { fallback: h('p', null, 'Ask an administrator') }, h('p', null, 'The screen'));
  createRoot(document.getElementById('root')).render(h(QueryClientProvider, { client: new QueryClient() }, guard));
`;

test('C226 the guard shows a fallback where it is given one', async ({ people, product, openBrowser }) => {
  for (const [person, shown, hidden] of [
    [await people.plain(), 'Ask an administrator', 'The screen'],
    [await people.administrator(), 'The screen', 'Ask an administrator'],
  ] as const) {
    const page = await openBrowser(person);
    await page.goto(await componentPage(page, product, guarded));
    await expect(page.getByText(shown, { exact: true })).toBeVisible();
    await expect(page.getByText(hidden, { exact: true })).toHaveCount(0);
    await expect(page.getByText('Access Denied')).toHaveCount(0);
  }
});
