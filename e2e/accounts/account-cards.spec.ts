/** A narrow list of accounts, which shows cards instead of columns. */
import { expect, test } from '../support/console-fixtures.ts';
import { openAccounts, rowFor, rows } from '../support/accounts-page.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';

test.use({ as: 'administrator' });

for (const [width, height] of [
  [375, 667],
  [667, 375],
  [820, 1180],
] as const)
  test(`shows the accounts as cards with whole names at ${width} px`, async ({ page, instance }) => {
    const word = unique('Cards');
    await insertRows(instance, 'accounts', [
      ...Array.from({ length: 60 }, (_, n) => account(`${word} ${n}`)),
      account(`${word} Water Rescue of the Lakes`, {
        account_type: 'enterprise',
        city: 'Friedrichshafen',
        state: 'BW',
      }),
    ]);
    await page.setViewportSize({ width, height });
    await openAccounts(page, `?q=${word}`);
    const row = rowFor(page, `${word} Water Rescue of the Lakes`);
    await expect(row).toContainText('Enterprise · Friedrichshafen, BW · ');
    const link = row.getByRole('link');
    const isCut = () =>
      link.evaluate((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight);
    expect(await isCut()).toBe(false);
    const frame = page.getByRole('region', { name: 'Accounts' });
    expect(await frame.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    expect(await horizontalOverflow(page)).toBe(0);
    // The height of the list is that of its rows, also for rows that are not rendered.
    const heights = await rows(page).evaluateAll((all) => all.map((each) => each.clientHeight));
    expect([...new Set(heights)]).toEqual([60]);
    await link.focus();
    await page.keyboard.press('End');
    await expect(rows(page).last().getByRole('link')).toBeFocused();
    await expect(rows(page).last().getByRole('link')).toBeInViewport({ ratio: 1 });
  });
