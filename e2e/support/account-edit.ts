/** Steps in the dialog that edits an account. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './console-fixtures.ts';
import { account, insertRows, listRows, unique, type Row } from './api.ts';
import type { Instance } from './instance.ts';

export const accountsUrl = /\/rest\/v1\/accounts/;
export const editDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Edit Account', exact: true });

interface Opened {
  readonly id: string;
  readonly name: string;
  readonly stored: () => Promise<Row | undefined>;
}

/** Inserts an account. */
export async function createAccount(instance: Instance, fields: Row = {}): Promise<Opened> {
  const name = `${unique('edited')} Patrol`;
  const [row] = await insertRows(instance, 'accounts', [account(name, fields)]);
  const id = String(row?.['id']);
  return { id, name, stored: async () => (await listRows(instance, 'accounts', `id=eq.${id}`))[0] };
}

export async function openEdit(page: Page, { id }: Opened): Promise<Locator> {
  await page.goto(`/admin/accounts?account=${id}&action=edit`);
  await expect(editDialog(page)).toBeVisible();
  return editDialog(page);
}

/** A value in the first list of the panel. Its activity shows values, too. */
export const detail = (side: Locator, text: string | RegExp): Locator =>
  side.locator('dl').first().getByRole('definition').filter({ hasText: text });

/** Stops the timer of a toast, which would expire during the checks before Undo on a busy machine. */
export const keepVisible = (toast: Locator): Promise<void> => toast.hover();

export const save = (form: Locator): Promise<void> =>
  form.getByRole('button', { name: 'Save Changes' }).click();
