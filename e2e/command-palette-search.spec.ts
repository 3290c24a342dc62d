/** What the command palette finds, and what stands around it: errors, themes, widths. */
import type { Page } from '@playwright/test';
import { violationsOn } from './support/accessibility.ts';
import { panel } from './support/accounts-page.ts';
import { respondWith, expect, failedLoad, test } from './support/console-fixtures.ts';
import { requestsTo } from './support/forms.ts';
import { account, insertRows, unique } from './support/api.ts';

test.use({ as: 'administrator' });

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or run a command' });
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search or run a command' });
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

test('the palette finds an account by name, slug, city and state, also in several words', async ({
  page,
  product,
}) => {
  const name = `${unique('Palette')} Rescue`;
  const city = unique('Springfield');
  await insertRows(product, 'accounts', [account(name, { city, state: 'ZQ' })]);
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
  // Escape takes the palette away, not the panel beneath it.
  await page.keyboard.press('Escape');
  await expect(palette(page)).toHaveCount(0);
  await expect(panel(page, name)).toBeVisible();
});

test('the palette takes every character literally, and says when the service cannot be asked', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(500));
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  const asked = requestsTo(page, /\/rest\/v1\/accounts\?/);
  await openPalette(page);
  await page.keyboard.insertText('a.*,"(b)\\');
  await expect(palette(page).getByText('No results')).toBeVisible();
  expect((await asked[0]?.response())?.status()).toBe(200);
  await respondWith(page, /\/rest\/v1\/accounts\?/, 500, {
    code: 'XX000',
    message: 'The service is resting',
  });
  await page.keyboard.insertText('x');
  await expect(palette(page).getByText('Accounts could not be searched.')).toBeVisible();
});

test('the palette changes the theme, stays below forms, and its searches go with the sign-out', async ({
  openBrowser,
  people,
  product,
}) => {
  const name = `${unique('Recent')} Patrol`;
  await insertRows(product, 'accounts', [account(name)]);
  const page = await openBrowser(await people.make());
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
  expect(await stored()).toBe(1);
  await openPalette(page);
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/auth$/);
  expect(await stored()).toBe(0);
});

test('X15 the palette and the keyboard list pass axe in both themes and on a phone', async ({ page }) => {
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
