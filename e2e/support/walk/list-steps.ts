/** Steps in the list of accounts. */
import { expect, type Locator, type Page } from '@playwright/test';
import fc from 'fast-check';
import { hasRows, isAtAccounts, expectFocusKept, step } from './step.ts';

const frame = (page: Page): Locator => page.getByRole('region', { name: 'Accounts' });
const links = (page: Page): Locator => frame(page).locator('[data-account]').getByRole('link');

const texts = ['walk', 'team 12', 'zürich', 'WALK-TEAM', '%', 'no such name', '*', 'a"b,c)', '  team  '];
const listKeys = ['End', 'Home', 'PageDown', 'PageUp', 'ArrowDown', 'ArrowUp'];

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(text);
  // The URL follows after the debounce.
  await expect(page).toHaveURL((url) => (url.searchParams.get('q') ?? '').trim() === text.trim());
}

export const listSteps = {
  search: step({
    value: fc.constantFrom(...texts),
    applies: isAtAccounts,
    run: async ({ page }, text) => search(page, text),
  }),
  clearSearch: step({
    value: fc.constant(null),
    applies: (walk) => isAtAccounts(walk) && walk.view.query['q'] !== undefined,
    run: async ({ page }) => search(page, ''),
  }),
  chooseType: step({
    value: fc.constantFrom('all', 'enterprise', 'organization'),
    applies: isAtAccounts,
    run: async ({ page }, type) => void (await page.getByLabel('Type', { exact: true }).selectOption(type)),
  }),
  chooseRows: step({
    value: fc.constantFrom('10', '25', '50', '100'),
    applies: isAtAccounts,
    run: async ({ page }, rows) => void (await page.getByLabel('Rows per page').selectOption(rows)),
  }),
  scrollTo: step({
    value: fc.nat({ max: 100 }),
    applies: isAtAccounts,
    run: async ({ page }, percent) => {
      await frame(page).evaluate((element, part) => {
        // On small screens the page scrolls instead of the list.
        for (const each of [element, document.documentElement])
          each.scrollTo(0, (each.scrollHeight * part) / 100);
      }, percent);
    },
  }),
  scrollToEnd: step({
    value: fc.constant(null),
    applies: (walk) => isAtAccounts(walk) && hasRows(walk),
    run: async ({ page }) => {
      await frame(page).evaluate((element) => {
        for (const each of [element, document.documentElement]) each.scrollTo(0, each.scrollHeight);
      });
    },
    verify: async ({ page, view }) => {
      const last = frame(page).locator(`tr[aria-rowindex="${(view.counted ?? 0) + 1}"]`);
      // In a low window a short list ends above the bottom of the page.
      await last.scrollIntoViewIfNeeded();
      await expect(last, 'the last row according to the footer').toBeInViewport();
    },
  }),
  openRow: step({
    value: fc.nat({ max: 8 }),
    applies: (walk) => isAtAccounts(walk) && hasRows(walk),
    run: async ({ page }, index) => {
      const count = await links(page).count();
      if (count > 0)
        await links(page)
          .nth(index % count)
          .click();
    },
  }),
  pressListKeys: step({
    value: fc.array(fc.constantFrom(...listKeys), { minLength: 1, maxLength: 4 }),
    applies: (walk) => isAtAccounts(walk) && hasRows(walk),
    run: async ({ page }, keys) => {
      if ((await links(page).count()) === 0) return;
      await links(page).first().focus();
      for (const key of keys) {
        await page.keyboard.press(key);
        await expectFocusKept({ page });
      }
    },
  }),
};
