/** Checks all page states with axe, in two themes and two widths, and for horizontal scrolling. */
import type { Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { classConflicts } from '../support/class-conflicts.ts';
import { expect, test } from '../support/console-fixtures.ts';
import { pageStates } from '../support/page-states.ts';
import { dialogOverflow, horizontalOverflow } from '../support/horizontal-scroll.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

// Focus guards of the overlay library. They move the focus on immediately.
const focusGuards = '[data-base-ui-focus-guard]';

const findViolations = async (page: Page, where: string): Promise<string[]> =>
  (await violationsOn(page, { tags: rules, exclude: [focusGuards] })).map(
    (violation) => `${where}: ${violation}`,
  );

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

/** TEST_LONG checks all four views. Otherwise states alternate between the first and the second pair. */
const views = (name: string) => {
  if (process.env['TEST_LONG']) return allViews;
  const odd = pageStates.findIndex((state) => state.name === name) % 2;
  return allViews.filter((_view, index) => index % 2 === odd);
};

let checked = 0;

for (const as of ['signed-out', 'administrator', 'plain'] as const) {
  test.describe(as, () => {
    test.use({ as });

    for (const state of pageStates.filter((each) => each.as === as)) {
      test(
        `${state.name} is accessible`,
        { tag: ['@X15', '@I42'] },
        async ({ page, instance, users, expectMessage }) => {
          for (const message of state.messages ?? []) expectMessage(message);
          await state.open({ page, instance, users });
          const found: string[] = [];
          for (const [theme, width] of views(state.name)) {
            await page.setViewportSize({ width, height: 800 });
            await chooseTheme(page, theme);
            found.push(...(await findViolations(page, `${theme} ${width}`)));
            expect(await dialogOverflow(page), `content wider than its dialog at ${width} px`).toBe(0);
            checked += 1;
          }
          expect(found).toEqual([]);
          expect(await classConflicts(page), 'classes that set one property twice').toEqual([]);
          expect(await horizontalOverflow(page), 'horizontal scrolling at 375 px').toBe(0);
          await page.setViewportSize({ width: 320, height: 640 });
          expect(await horizontalOverflow(page), 'horizontal scrolling at 320 px').toBe(0);
        },
      );
    }
  });
}

test.describe('sidebar sheet', () => {
  test.use({ as: 'administrator', viewport: { width: 375, height: 700 } });

  test('has no violations', { tag: ['@X15', '@C072'] }, async ({ page }) => {
    await page.goto('/admin/logs');
    await page.getByRole('button', { name: 'Toggle Sidebar' }).click();
    await expect(page.getByRole('dialog', { name: 'Navigation' })).toBeVisible();
    const found: string[] = [];
    for (const theme of ['light', 'dark']) {
      await chooseTheme(page, theme);
      found.push(...(await findViolations(page, theme)));
      checked += 1;
    }
    expect(found).toEqual([]);
    expect(await classConflicts(page), 'classes that set one property twice').toEqual([]);
  });
});

test.afterAll(() =>
  console.log(
    `Accessibility: ${checked} page states checked (${pageStates.length} screens, themes, widths).`,
  ),
);
