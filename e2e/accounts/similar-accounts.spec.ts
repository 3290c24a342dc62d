/** Similar accounts in the dialog for a new account. */
import { expect, failedLoad, respondWith, test } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openNewAccount } from '../support/accounts-page.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { requestsTo } from '../support/forms.ts';

test.use({ as: 'administrator' });

test('shows similar accounts with city and link by keyboard alone', async ({ page, instance, context }) => {
  const place = unique('zermatt');
  const name = `${place} Search and Rescue`;
  await insertRows(instance, 'accounts', [account(name, { city: 'Zürich' })]);
  const form = await openNewAccount(page);
  await expect(form.getByLabel('Account Name')).toBeFocused();
  await page.keyboard.type(`${place} SAR`);
  await expect(
    form.getByText(`A similar account exists: ${name} (opens in a new tab) (Zürich)`),
  ).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  // The next field follows the name. The link is below the fields.
  await page.keyboard.press('Tab');
  await expect(form.getByLabel('Type')).toBeFocused();
  await page.keyboard.type('O');
  await expect(form.getByLabel('Type')).toHaveValue('organization');
  await form.getByLabel('Zip Code').focus();
  await page.keyboard.press('Tab');
  await expect(form.getByRole('link', { name })).toBeFocused();
  const opened = context.waitForEvent('page');
  await page.keyboard.press('Enter');
  const other = await opened;
  await expect(other.getByRole('dialog', { name })).toBeVisible();
  await other.close();
  await expect(form.getByLabel('Account Name')).toHaveValue(`${place} SAR`);
});

test('does not search for a name that is too long', async ({ page }) => {
  await page.clock.install();
  const searches = requestsTo(page, /\/functions\/v1\/similar-accounts/);
  const form = await openNewAccount(page);
  await form.getByLabel('Account Name').fill('x'.repeat(201));
  await page.clock.runFor(1000);
  await form.getByLabel('Account Name').fill('x'.repeat(200));
  await page.clock.runFor(1000);
  await expect.poll(() => searches.length).toBe(1);
});

test('shows nothing if the search fails', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(503));
  await respondWith(page, /\/functions\/v1\/similar-accounts/, 503, { error: 'x', code: 'x' });
  const form = await openNewAccount(page);
  const failed = page.waitForResponse(/\/functions\/v1\/similar-accounts/);
  await form.getByLabel('Account Name').fill(unique('failing'));
  await failed;
  await expect(form.getByText('similar account')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')).toHaveCount(0);
});
