/** What every form of the console has in common. */
import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { secret } from './users.ts';

const literally = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

/** The message stands at its field: tied to it, so that it is read out with it. */
export async function expectFieldError(field: Locator, message: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(literally(message));
  await expect(field.page().getByText(message, { exact: true })).toBeVisible();
}

/** Requests of this page to addresses that match, from now on. */
export function requestsTo(page: Page, url: RegExp, method?: string): Request[] {
  const seen: Request[] = [];
  page.on('request', (request) => {
    if (url.test(request.url()) && (method === undefined || request.method() === method)) seen.push(request);
  });
  return seen;
}

/** True when the browser's own validation is off for the form around this control. */
export const isNoValidate = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element.closest('form')?.noValidate === true);

export const passwordField = (page: Page): Locator => page.getByLabel('Password', { exact: true });
export const emailField = (page: Page): Locator => page.getByLabel('Email', { exact: true });

/** Presses Enter. The page ignores an Enter that directly follows another one. */
export async function pressEnter(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
}

/** Answers the dialog that stands over a page whose session was lost. */
export async function signInAgain(page: Page): Promise<void> {
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(secret);
  await again.getByRole('button', { name: 'Sign In' }).click();
  await expect(again).toHaveCount(0);
}
