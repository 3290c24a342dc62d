/** Steps in the panel of an invitation. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './console-fixtures.ts';
import { rowFor } from './admins-page.ts';

export async function openPanel(page: Page, email: string, name: string): Promise<Locator> {
  await rowFor(page, email).getByRole('link', { name }).click();
  const panel = page.getByRole('dialog', { name, exact: true });
  await expect(panel).toBeVisible();
  return panel;
}

/** Clicks a button of the panel and confirms the dialog, which must contain the name. */
export async function runAction(
  page: Page,
  panel: Locator,
  button: string,
  confirm: string,
  name: string,
): Promise<void> {
  await panel.getByRole('button', { name: button, exact: true }).click();
  const confirmation = page.getByRole('alertdialog');
  await expect(confirmation).toContainText(name);
  await confirmation.getByRole('button', { name: confirm, exact: true }).click();
  await expect(confirmation).toHaveCount(0);
}
