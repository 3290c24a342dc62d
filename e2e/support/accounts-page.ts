/** Locators and steps of the accounts screen. */
import { expect, type Locator, type Page } from '@playwright/test';

export const table = (page: Page): Locator => page.getByRole('table', { name: 'Accounts' });
/** Rows of the table without the header. */
export const rows = (page: Page): Locator => table(page).locator('tbody').getByRole('row');
export const rowFor = (page: Page, name: string): Locator =>
  rows(page).filter({ has: page.getByRole('link', { name, exact: true }) });
export const search = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search accounts' });
export const panel = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });
export const dialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Add New Account', exact: true });

/** Opens the screen and waits for the list. */
export async function openAccounts(page: Page, query = ''): Promise<void> {
  await page.goto(`/admin/accounts${query}`);
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  await expect(page.getByText(/^Page 1 of 1 \(\d+ total\)$/)).toBeVisible();
}

export async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add Account', exact: true }).click();
  await expect(dialog(page)).toBeVisible();
  return dialog(page);
}

/** Opens the dialog by its URL. An open dialog hides the page from role locators. */
export async function openNewAccount(page: Page): Promise<Locator> {
  await page.goto('/admin/accounts?new=true');
  await expect(dialog(page)).toBeVisible();
  return dialog(page);
}
