/** States of the accounts screen, its panel and dialogs, and of the import. */
import { expect } from '@playwright/test';
import { account, insertRows, requestOk, unique } from './api.ts';
import { holdRequests, respondWith } from './console-fixtures.ts';
import { goto, openView, type PageState, type StateContext } from './page-state.ts';

const failing = { code: 'XX000', message: 'The service is unavailable', details: null, hint: null };

const openPanel = async ({ page, instance }: StateContext): Promise<void> => {
  const name = `${unique('state')} Patrol`;
  const fields = { address: '1 Summit Road', city: 'Vail', state: 'CO', zip_code: '81657' };
  await insertRows(instance, 'accounts', [account(name, fields)]);
  await page.goto(`/admin/accounts?q=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('dialog', { name })).toBeVisible();
};

/** Opens a dialog of an account by its URL. Returns the account. */
const openAccountDialog = async (
  { page, instance }: StateContext,
  action: string,
  title: RegExp,
): Promise<string> => {
  const [row] = await insertRows(instance, 'accounts', [account(`${unique('state')} Patrol`)]);
  await page.goto(`/admin/accounts?account=${String(row?.['id'])}&action=${action}`);
  await expect(page.getByRole('dialog', { name: title })).toBeVisible();
  return String(row?.['id']);
};

export const accountPageStates: readonly PageState[] = [
  { name: 'accounts', as: 'administrator', open: goto('/admin/accounts', 'Accounts') },
  {
    name: 'accounts while loading',
    as: 'administrator',
    open: async ({ page }) => {
      await holdRequests(page, /\/rest\/v1\/accounts/);
      await page.goto('/admin/accounts');
      await expect(page.locator('[data-skeleton-row]').first()).toBeVisible();
    },
  },
  {
    name: 'accounts without a match',
    as: 'administrator',
    open: async ({ page, instance }) => {
      await insertRows(instance, 'accounts', [account(unique('not-searched'))]);
      await page.goto(`/admin/accounts?q=${unique('no-such-account')}`);
      await expect(page.getByText('No accounts match your filters')).toBeVisible();
    },
  },
  {
    name: 'accounts with few matches',
    as: 'administrator',
    open: async ({ page, instance }) => {
      const name = unique('few-matches');
      await insertRows(instance, 'accounts', [account(name)]);
      await page.goto(`/admin/accounts?q=${name}`);
      await expect(page.getByRole('button', { name: 'Search cities and contacts too' })).toBeVisible();
    },
  },
  {
    name: 'accounts with matches in cities',
    as: 'administrator',
    open: async ({ page, instance }) => {
      const city = unique('Few-matches');
      await insertRows(instance, 'accounts', [account(unique('in-city'), { city })]);
      await page.goto(`/admin/accounts?q=${city}&wide=true`);
      await expect(page.getByText('The search includes cities and contacts.')).toBeVisible();
    },
  },
  {
    name: 'accounts that could not be loaded',
    as: 'administrator',
    messages: [/Failed to load resource/],
    open: async ({ page }) => {
      await respondWith(page, /\/rest\/v1\/accounts/, 500, failing);
      await page.goto('/admin/accounts');
      await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 20_000 });
    },
  },
  { name: 'no accounts', as: 'plain', open: goto('/admin/accounts', 'Accounts') },
  { name: 'account panel', as: 'administrator', open: openPanel },
  {
    name: 'members and activity of an account',
    as: 'administrator',
    open: async (context) => {
      await openPanel(context);
      const { page, users } = context;
      const { email, fullName } = await users.create({ isAdministrator: false, fullName: 'Mia State' });
      await page.getByLabel("Member's email").fill(email);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('button', { name: `Suspend ${fullName}` })).toBeVisible();
      await expect(page.getByText('Member added')).toBeVisible();
    },
  },
  {
    name: 'invite member dialog with errors',
    as: 'administrator',
    messages: [/Failed to load resource/],
    open: async (context) => {
      await openPanel(context);
      const { page } = context;
      await page.getByLabel("Member's email").fill(`${unique('state')}@example.org`);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: /^Invite .* as a member of/ });
      await dialog.getByRole('button', { name: 'Send invitation' }).click();
      await expect(dialog.getByText('Full name must be at least 2 characters')).toBeVisible();
    },
  },
  { name: 'view menu of the accounts', as: 'administrator', open: openView('/admin/accounts', 'Accounts') },
  {
    name: 'edit account dialog after a concurrent change',
    as: 'administrator',
    open: async (context) => {
      const { page, instance } = context;
      const id = await openAccountDialog(context, 'edit', /^Edit Account$/);
      await requestOk(instance, `/rest/v1/accounts?id=eq.${id}`, {
        method: 'PATCH',
        body: { city: 'Aspen', address: '1 Summit Road' },
        token: instance.serviceRoleKey(),
      });
      await page.getByLabel('City', { exact: true }).fill('Vail');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByRole('radio', { name: 'Saved: Aspen' })).toBeVisible();
    },
  },
  {
    name: 'suspend dialog with an error',
    as: 'administrator',
    open: async (context) => {
      await openAccountDialog(context, 'suspend', /^Suspend /);
      await context.page.getByRole('button', { name: 'Suspend account' }).click();
      await expect(context.page.getByText('A reason is required')).toBeVisible();
    },
  },
  {
    name: 'panel of a suspended account, with its activity',
    as: 'administrator',
    open: async (context) => {
      await openAccountDialog(context, 'suspend', /^Suspend /);
      const { page } = context;
      await page.getByLabel('Reason').fill('Unpaid since May');
      await page.getByRole('button', { name: 'Suspend account' }).click();
      await expect(page.getByText('Suspended by')).toBeVisible();
      await page.getByRole('tab', { name: /^Activity/ }).click();
      await expect(page.getByRole('tabpanel').getByRole('listitem').first()).toBeVisible();
    },
  },
  {
    name: 'new account dialog with errors',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/accounts?new=true');
      await page.getByRole('button', { name: 'Create Account' }).click();
      await expect(page.getByText('Account name is required')).toBeVisible();
    },
  },
  {
    name: 'new account dialog with a similar account',
    as: 'administrator',
    open: async ({ page, instance }) => {
      const name = `${unique('similar')} Search and Rescue`;
      await insertRows(instance, 'accounts', [account(name, { city: 'Vail' })]);
      await page.goto('/admin/accounts?new=true');
      await page.getByLabel('Account Name').fill(name);
      await expect(page.getByText('A similar account exists')).toBeVisible();
    },
  },
  {
    name: 'checked import',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/accounts/import');
      await page.getByLabel('CSV or Excel file').setInputFiles({
        name: 'accounts.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          `Name,Type,City\n${unique('state'.padEnd(40, '-x'))},enterprise,Vail\n,enterprise,\n`,
        ),
      });
      await page.getByRole('button', { name: 'Check rows' }).click();
      await expect(page.getByText('1 to create, 0 to change, 0 unchanged, 1 rejected')).toBeVisible();
    },
  },
  {
    name: 'confirmation before input is discarded',
    as: 'administrator',
    open: async ({ page }) => {
      await page.goto('/admin/accounts?new=true');
      await page.getByLabel('Account Name').fill('Unsaved');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
  },
];
