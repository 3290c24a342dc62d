/** Command palette and list of shortcuts by keyboard. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/console-fixtures.ts';
import { dialog, openAccounts, openDialog, panel } from '../support/accounts-page.ts';
import { account, insertRows, unique } from '../support/api.ts';

test.use({ as: 'administrator' });

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });
const box = (page: Page) => palette(page).getByRole('combobox');

test(
  'opens a screen from the palette, and Escape changes nothing',
  { tag: ['@X15', '@I12'] },
  async ({ page }) => {
    await openAccounts(page);
    const opener = page.getByRole('button', { name: 'Search or run a command' });
    await opener.focus();
    await page.keyboard.press('Control+k');
    await expect(box(page)).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(palette(page)).toHaveCount(0);
    await expect(opener).toBeFocused();
    await page.keyboard.press('Meta+k');
    await expect(box(page)).toBeFocused();
    // Keywords find a screen by its content.
    await box(page).fill('passkey');
    await expect(palette(page).getByRole('option')).toHaveText([/^Security\s*Your sign-in and sessions$/]);
    for (const words of [
      'authenticator',
      '2fa',
      'mfa',
      'recovery codes',
      'sessions',
      'my name',
      'email',
      'my second factor',
      'sign out others',
    ]) {
      await box(page).fill(words);
      await expect(palette(page).getByRole('option', { name: /^Security/ })).toBeVisible();
    }
    // A command with this name comes first.
    await box(page).fill('sign out');
    await expect(palette(page).getByRole('option')).toHaveText([/^Sign Out/, /^Security/]);
    await box(page).fill('sign out all');
    await expect(palette(page).getByRole('option')).toHaveText([/^Sign Out/]);
    await box(page).fill('notif');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/notifications$/);
    await expect(page.getByRole('heading', { name: 'Notification Settings', level: 1 })).toBeFocused();
  },
);

test(
  'opens an account and the dialog for a new one from the palette',
  { tag: '@X15' },
  async ({ page, instance }) => {
    const name = `${unique('found')} Rescue`;
    await insertRows(instance, 'accounts', [account(name, { city: 'Nome' })]);
    await page.goto('/admin/logs');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.keyboard.press('Control+k');
    await box(page).fill(name);
    await expect(palette(page).getByRole('option', { name })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(panel(page, name)).toBeVisible();
    await page.keyboard.press('Control+k');
    await box(page).fill('add account');
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toBeVisible();
  },
);

test(
  'opens nothing over a dialog, and the list of shortcuts by its shortcut',
  { tag: '@X15' },
  async ({ page }) => {
    await openAccounts(page);
    await page.keyboard.press('Control+/');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill('Half typed');
    await page.keyboard.press('Control+k');
    await expect(palette(page)).toHaveCount(0);
    await expect(form.getByLabel('Account Name')).toHaveValue('Half typed');
  },
);
