/** Locators, steps and checks for forms. */
import { expect, type Locator, type Page, type Request } from '@playwright/test';
import { testPassword } from './users.ts';

const toLiteralPattern = (text: string): RegExp => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));

/** Checks that the field shows the message as its accessible description. */
export async function expectFieldError(field: Locator, message: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(toLiteralPattern(message));
  await expect(field.page().getByText(message, { exact: true })).toBeVisible();
}

/** Records matching requests of the page from now on. */
export function requestsTo(page: Page, url: RegExp, method?: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (url.test(request.url()) && (method === undefined || request.method() === method))
      requests.push(request);
  });
  return requests;
}

/** Returns true if the form of the control has `novalidate`. */
export const isNoValidate = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element.closest('form')?.noValidate === true);

export const passwordField = (page: Page): Locator => page.getByLabel('Password', { exact: true });
export const emailField = (page: Page): Locator => page.getByLabel('Email', { exact: true });

/** Presses Enter. Presses Shift first, because the console ignores an Enter that directly follows another one. */
export async function pressEnter(page: Page): Promise<void> {
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
}

/** Signs in in the dialog over a page whose session has ended. */
export async function signInAgain(page: Page): Promise<void> {
  const signInDialog = page.getByRole('dialog', { name: 'Sign in again' });
  await signInDialog.getByLabel('Password', { exact: true }).fill(testPassword);
  await signInDialog.getByRole('button', { name: 'Sign In' }).click();
  await expect(signInDialog).toHaveCount(0);
}

/** Presses Sign Out in the menu of the user with this name. */
export async function signOut(page: Page, name: string): Promise<void> {
  await page.getByRole('complementary').getByRole('button', { name }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
}

/** Signs out and waits for the sign-in form. */
export async function signOutToForm(page: Page, name: string): Promise<void> {
  await signOut(page, name);
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
}
