/** Locators and steps of the Admins screen. */
import { expect, type Locator, type Page } from '@playwright/test';
import { pressEnter } from './forms.ts';

export const table = (page: Page): Locator => page.getByRole('table', { name: 'Admins' });
export const rows = (page: Page): Locator => table(page).locator('tbody').getByRole('row');
export const rowFor = (page: Page, email: string): Locator => rows(page).filter({ hasText: email });
export const dialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Invite New Administrator', exact: true });
export const resend = (page: Page, email: string): Locator =>
  rowFor(page, email).getByRole('button', { name: 'Resend', exact: true });

/** Opens the screen and waits for both of its reads. */
export async function openAdmins(page: Page, query = ''): Promise<void> {
  const unsent = page.waitForResponse(/\/functions\/v1\/unsent-invitations/);
  await page.goto(`/admin/platform-admins${query}`);
  await unsent;
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeVisible();
  await expect(table(page)).toHaveAttribute('aria-busy', 'false');
}

/** Opens the View menu by keyboard. */
export async function openAdminsView(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^View/ }).focus();
  await pressEnter(page);
  const view = page.getByRole('dialog', { name: 'View' });
  await expect(view).toBeVisible();
  return view;
}

/** Opens and fills the invitation dialog. */
export async function fillInvitation(page: Page, fullName: string, email: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Invite Admin', exact: true }).click();
  const form = dialog(page);
  await form.getByLabel('Full Name').fill(fullName);
  await form.getByLabel('Email').fill(email);
  return form;
}
