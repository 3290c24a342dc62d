import type { Browser, Page } from '@playwright/test';
import {
  setUpFirstAdministrator,
  expect,
  linkIn,
  password,
  watchConsole,
  type Instance,
} from './fixtures.ts';
import { applyPageConditions } from './page-conditions.ts';

interface HappyPathOptions {
  readonly browser: Browser;
  /** Page of the first administrator. */
  readonly page: Page;
  readonly instance: Instance;
}

/**
 * Follows the printed link, sets a password, creates an account and invites a second administrator, who
 * opens the emailed link, sets a password and sees the account.
 */
export async function happyPath({ browser, page, instance }: HappyPathOptions): Promise<void> {
  await setUpFirstAdministrator(page, instance);
  await expect(page.getByText('Password set successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  await expect(page.getByText('No accounts yet')).toBeVisible();

  await page.getByRole('button', { name: 'Add Account' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add New Account' });
  await dialog.getByLabel('Account Name').fill('Vail Ski Patrol');
  await dialog.getByLabel('Type').selectOption({ label: 'Organization' });
  await dialog.getByLabel('City').fill('Vail');
  await dialog.getByLabel('State').fill('CO');
  await dialog.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByText('Vail Ski Patrol has been successfully created.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Vail Ski Patrol/ })).toContainText('Vail, CO');

  await page.getByRole('link', { name: 'Admins' }).click();
  await expect(page.getByText('No invitations sent yet')).toHaveCount(0);
  await page.getByRole('button', { name: 'Invite Admin' }).click();
  const invite = page.getByRole('dialog', { name: 'Invite New Administrator' });
  await invite.getByLabel('Full Name').fill('Robin Hart');
  await invite.getByLabel('Email').fill('robin@example.org');
  await invite.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(page.getByText('An invitation email has been sent to robin@example.org')).toBeVisible();
  await expect(page.getByRole('row', { name: /robin@example.org/ })).toContainText('pending');

  const mail = await instance.mailTo('robin@example.org');
  const second = await browser.newContext();
  const messages = watchConsole(second);
  await applyPageConditions(second);
  const robin = await second.newPage();
  await robin.goto(linkIn(mail).replace(/^https?:\/\/[^/]+/, instance.url));
  await expect(robin.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  await expect(robin.getByText('robin@example.org')).toBeVisible();
  await robin.getByLabel('Password', { exact: true }).fill(password);
  await robin.getByLabel('Confirm Password').fill(password);
  await robin.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(robin).toHaveURL(/\/admin\/accounts/);
  await expect(robin.getByRole('row', { name: /Vail Ski Patrol/ })).toBeVisible();
  expect(messages).toEqual([]);
  await second.close();

  await page.reload();
  await expect(page.getByRole('row', { name: /robin@example.org/ })).toContainText('accepted');
}
