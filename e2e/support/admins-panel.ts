/** The side panel of an invitation, opened and used by role and label. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './console-fixtures.ts';
import { rowFor } from './admins-page.ts';

export async function openPanel(page: Page, email: string, name: string): Promise<Locator> {
  await rowFor(page, email).getByRole('link', { name }).click();
  const panel = page.getByRole('dialog', { name, exact: true });
  await expect(panel).toBeVisible();
  return panel;
}

/** Presses a button of the panel and confirms the question, which names the person. */
export async function runAction(
  page: Page,
  panel: Locator,
  button: string,
  confirm: string,
  name: string,
): Promise<void> {
  await panel.getByRole('button', { name: button, exact: true }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(name);
  await question.getByRole('button', { name: confirm, exact: true }).click();
  await expect(question).toHaveCount(0);
}
