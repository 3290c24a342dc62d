/** Search in the command palette, with errors, themes and widths. */
import type { Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { panel } from '../support/accounts-page.ts';
import { respondWith, expect, failedLoad, test } from '../support/console-fixtures.ts';
import { requestsTo } from '../support/forms.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { openPalette } from '../support/palette.ts';

test.use({ as: 'administrator' });

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or run a command' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

test('finds an account by words of its name, slug, city and state', async ({ page, instance }) => {
  const name = `${unique('Palette')} Rescue`;
  const city = unique('Springfield');
  await insertRows(instance, 'accounts', [account(name, { city, state: 'ZQ' })]);
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  for (const text of [name, name.toLowerCase().replace(' ', '-'), city, `zq ${city}`]) {
    await openPalette(page);
    await page.keyboard.insertText(text);
    await expect(option(page, new RegExp(name))).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette(page)).toHaveCount(0);
  }
  await openPalette(page);
  await page.keyboard.insertText(name);
  const found = option(page, new RegExp(name));
  await expect(field(page)).toHaveAttribute(
    'aria-activedescendant',
    (await found.getAttribute('id')) ?? 'no id',
  );
  await page.keyboard.press('Enter');
  await expect(panel(page, name)).toBeVisible();
  await openPalette(page);
  await option(page, name).click();
  await expect(field(page)).toHaveValue(name);
  // Escape closes the palette, but not the panel below.
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(panel(page, name)).toBeVisible();
});

test('searches special characters literally and shows a failed search', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(500));
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  const requests = requestsTo(page, /\/rest\/v1\/accounts\?/);
  await openPalette(page);
  await page.keyboard.insertText('a.*,"(b)\\');
  await expect(palette(page).getByText('No results')).toBeVisible();
  expect((await requests[0]?.response())?.status()).toBe(200);
  await respondWith(page, /\/rest\/v1\/accounts\?/, 500, {
    code: 'XX000',
    message: 'The service is unavailable',
  });
  await respondWith(page, /\/functions\/v1\/administrators$/, 500, { message: 'The service is unavailable' });
  await page.keyboard.insertText('x');
  await expect(palette(page).getByText('Accounts could not be searched.')).toBeVisible();
  await expect(palette(page).getByText('No results')).toHaveCount(0);
  // A reload, because the administrators are known.
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  await openPalette(page);
  await page.keyboard.insertText('zzz');
  await expect(
    palette(page).getByText('Accounts and administrators could not be searched. The list may be incomplete.'),
  ).toBeVisible();
  await expect(palette(page).getByText('No results')).toHaveCount(0);
});

test('changes the theme, does not open over a form, and clears recent searches on sign-out', async ({
  openBrowser,
  users,
  instance,
}) => {
  const name = `${unique('Recent')} Patrol`;
  await insertRows(instance, 'accounts', [account(name)]);
  const page = await openBrowser(await users.create());
  await page.goto('/admin/accounts?new=true');
  await expect(page.getByLabel('Account Name')).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(palette(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await openPalette(page);
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await openPalette(page);
  await page.keyboard.insertText(name);
  await option(page, new RegExp(name)).click();
  await expect(panel(page, name)).toBeVisible();
  const stored = () =>
    page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('recent')).length);
  expect(await stored()).toBeGreaterThan(0);
  await openPalette(page);
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/auth$/);
  expect(await stored()).toBe(0);
});

test('has no axe violations in the palette and the list of shortcuts', { tag: '@X15' }, async ({ page }) => {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [375, 'light'],
    [375, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ colorScheme });
    await page.goto('/admin/logs');
    await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    for (const keys of ['Control+k', 'Control+/']) {
      await page.keyboard.press(keys);
      const layer = page.getByRole('dialog');
      await expect(layer).toHaveCSS('opacity', '1');
      expect(await violationsOn(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(layer).toHaveCount(0);
    }
  }
});
