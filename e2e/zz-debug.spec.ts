import { expect, test } from './support/console-test.ts';
import { openAccounts } from './support/accounts-page.ts';
test.use({ as: 'administrator' });
for (const n of [1,2,3,4,5,6])
test('debug' + n, async ({ page }) => {
  await openAccounts(page);
  if (n % 2) await page.getByRole('button', { name: 'Search or run a command' }).focus();
  await page.keyboard.press('Meta+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('notif');
  await page.keyboard.press('Enter');
  for (const t of [50, 500, 1500]) {
    await page.waitForTimeout(t);
    console.log(n, t, await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160)), await page.getByRole('dialog').count());
  }
});
