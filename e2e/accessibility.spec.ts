/** Every state of every screen against the accessibility rules: two themes, two widths, and 320 px without sideways scrolling. */
import type { Page } from '@playwright/test';
import { violationsOn } from './support/accessibility.ts';
import { expect, test } from './support/console-fixtures.ts';
import { pageStates } from './support/page-states.ts';
import { horizontalOverflow } from './support/horizontal-scroll.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// Sentinels of the overlay library: whoever tabs onto one is moved on at once, so nobody ever rests there.
const sentinels = '[data-base-ui-focus-guard]';

const findings = async (page: Page, where: string): Promise<string[]> =>
  (await violationsOn(page, { tags: rules, exclude: [sentinels] })).map((found) => `${where}: ${found}`);

const chooseTheme = (page: Page, theme: string): Promise<void> =>
  page.evaluate((name) => {
    document.documentElement.dataset['switching'] = '';
    document.documentElement.dataset['theme'] = name;
  }, theme);

const allViews = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 375],
  ['light', 375],
] as const;

/** TEST_LONG looks at all four; otherwise every second state gets the other two. */
const views = (name: string) => {
  if (process.env['TEST_LONG']) return allViews;
  const odd = pageStates.findIndex((state) => state.name === name) % 2;
  return allViews.filter((_view, index) => index % 2 === odd);
};

let checked = 0;

for (const as of ['nobody', 'administrator', 'plain'] as const) {
  test.describe(as, () => {
    test.use({ as });

    for (const state of pageStates.filter((each) => each.as === as)) {
      test(`X15 [I42] ${state.name}`, async ({ page, product, people, expectMessage }) => {
        for (const message of state.messages ?? []) expectMessage(message);
        await state.open({ page, product, people });
        const found: string[] = [];
        for (const [theme, width] of views(state.name)) {
          await page.setViewportSize({ width, height: 800 });
          await chooseTheme(page, theme);
          found.push(...(await findings(page, `${theme} ${width}`)));
          checked += 1;
        }
        expect(found).toEqual([]);
        expect(await horizontalOverflow(page), 'sideways scrolling at 375 px').toBe(0);
        await page.setViewportSize({ width: 320, height: 640 });
        expect(await horizontalOverflow(page), 'sideways scrolling at 320 px').toBe(0);
      });
    }
  });
}

test.describe('the sheet', () => {
  test.use({ as: 'administrator', viewport: { width: 375, height: 700 } });

  test('X15 C072 the sidebar as a sheet', async ({ page }) => {
    await page.goto('/admin/logs');
    await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
    await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
    const found: string[] = [];
    for (const theme of ['light', 'dark']) {
      await chooseTheme(page, theme);
      found.push(...(await findings(page, theme)));
      checked += 1;
    }
    expect(found).toEqual([]);
  });
});

test.afterAll(() =>
  console.log(
    `Accessibility: ${checked} page states checked (${pageStates.length} screens, themes, widths).`,
  ),
);
