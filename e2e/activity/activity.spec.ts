/** The activity screen and the activity of one account. */
import type { Page } from '@playwright/test';
import { expect, failedLoad, holdRequests, respondWith, test } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { panel } from '../support/accounts-page.ts';
import { account, insertRows, requestOk, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import type { Instance } from '../support/fixtures.ts';
import { requestsTo } from '../support/forms.ts';
import { openPalette } from '../support/palette.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';

test.use({ as: 'administrator' });

const heading = (page: Page) => page.getByRole('heading', { name: 'Activity', level: 1 });
const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).getByRole('listitem');

const createAccount = async (instance: Instance, word: string): Promise<{ id: string; name: string }> => {
  const name = `${unique(word)} Patrol`;
  const [row] = await insertRows(instance, 'accounts', [account(name, { city: 'Vail' })]);
  return { id: String(row?.['id']), name };
};

/** Each change is an entry. */
const changeCity = async (instance: Instance, id: string, cities: readonly string[]): Promise<void> => {
  for (const city of cities)
    await requestOk(instance, `/rest/v1/accounts?id=eq.${id}`, {
      method: 'PATCH',
      body: { city },
      token: instance.serviceRoleKey(),
    });
};

/** TanStack Query reads the newest entries again when the user returns to the tab. */
const returnToTab = (page: Page): Promise<void> =>
  page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });

test('is reached, filtered and read by keyboard alone', async ({ page, instance }) => {
  const { id, name } = await createAccount(instance, 'keys');
  await changeCity(instance, id, ['Aspen']);
  await page.goto('/admin/accounts');
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type('audit log');
  await expect(page.getByRole('option', { name: 'Activity' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(heading(page)).toBeFocused();
  const record = page.getByLabel('Record ID');
  while (!(await record.evaluate((field) => field === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`record=${id}`));
  await expect(entries(page)).toHaveCount(2);
  await expect(entries(page).first()).toContainText(`API client changed ${name}`);
  await expect(entries(page).first()).toContainText(/City.*Vail.*changed to.*Aspen/);
  const fields = entries(page).last().locator('summary');
  await fields.focus();
  await page.keyboard.press('Enter');
  await expect(entries(page).last().getByText(name, { exact: true })).toHaveCount(2);
  // The record opens from here, and Back returns to its entries.
  const open = page.getByRole('link', { name: 'Open account' });
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, open);
  await expect(page.getByRole('dialog', { name })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/admin/accounts\\?account=${id}`));
  await page.goBack();
  await expect(entries(page)).toHaveCount(2);
  await page.getByRole('button', { name: `Only ${name}. Show all records` }).focus();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/record=/);
});

test('is in the menu of the sidebar footer', async ({ page, users }) => {
  await page.goto('/admin/notifications');
  const { fullName } = await users.administrator();
  await page.getByRole('button', { name: fullName }).press('Enter');
  await page.getByRole('menuitem', { name: 'Activity' }).press('Enter');
  await expect(heading(page)).toBeVisible();
  await expect(page).toHaveTitle(/Activity/);
  await expect(page.getByRole('navigation').first().getByRole('link')).toHaveCount(8);
});

test('keeps its filters in the URL, over reload and Back', async ({ page, instance, users }) => {
  const { id, name } = await createAccount(instance, 'filters');
  const user = await users.administrator();
  await changeCity(instance, id, ['Aspen']);
  await page.goto('/admin/activity');
  await page.getByLabel('Kind', { exact: true }).selectOption('Accounts');
  await page.getByLabel('From', { exact: true }).fill('2020-01-01');
  await page.getByLabel('To', { exact: true }).fill('2099-12-31');
  await entries(page).first().getByRole('button', { name, exact: true }).click();
  await expect(entries(page)).toHaveCount(2);
  await page.reload();
  await expect(page.getByLabel('Kind', { exact: true })).toHaveValue('accounts');
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2020-01-01');
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2099-12-31');
  await expect(entries(page)).toHaveCount(2);
  await page.goBack();
  await expect(page.getByLabel('Record ID')).toBeVisible();
  await page.goBack();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('');
  await page.goForward();
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2099-12-31');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(/\/admin\/activity$/);
  await page.goto(`/admin/activity?record=${id}&person=${user.id}`);
  await expect(page.getByText('No entries match the filters')).toBeVisible();
  await page.goto(`/admin/activity?record=${id}&person=interface`);
  await expect(entries(page)).toHaveCount(2);
  await page.goto(`/admin/activity?record=${id}&to=2020-01-01`);
  await expect(page.getByText('No entries match the filters')).toBeVisible();
});

test('keeps the focus when filters are set and cleared by keyboard', async ({ page }) => {
  await page.goto('/admin/activity');
  const record = page.getByLabel('Record ID');
  await tabTo(page, record);
  await page.keyboard.type('no such record');
  await page.keyboard.press('Enter');
  const chosen = page.getByRole('button', { name: 'Only no such record. Show all records' });
  await expect(chosen).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(record).toBeFocused();
  await page.goto('/admin/activity?kind=exports');
  await pressOn(page, page.getByRole('button', { name: 'Clear filters' }));
  await expect(page).toHaveURL(/\/admin\/activity$/);
  await expect(heading(page)).toBeFocused();
});

test('announces new entries without moving what is being read', async ({ page, instance }) => {
  const { id } = await createAccount(instance, 'live');
  await changeCity(
    instance,
    id,
    Array.from({ length: 30 }, (_, index) => `City ${index}`),
  );
  await page.goto(`/admin/activity?record=${id}`);
  await expect(entries(page)).toHaveCount(31);
  const read = entries(page).nth(20);
  await read.scrollIntoViewIfNeeded();
  const before = await read.boundingBox();
  await changeCity(instance, id, ['A', 'B', 'C']);
  await returnToTab(page);
  const button = page.getByRole('button', { name: '3 new entries' });
  await expect(button).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '3 new entries' })).toHaveCount(1);
  expect((await read.boundingBox())?.y).toBe(before?.y);
  await expect(entries(page)).toHaveCount(31);
  await button.press('Enter');
  await expect(entries(page)).toHaveCount(34);
  await expect(entries(page).first()).toContainText('C');
  await expect(heading(page)).toBeFocused();
  await expect(button).toHaveCount(0);
});

test('exports the filtered list, which is an entry itself', async ({ page, instance }) => {
  const { id, name } = await createAccount(instance, 'export');
  await page.goto(`/admin/activity?record=${id}`);
  await expect(entries(page)).toHaveCount(1);
  const download = page.waitForEvent('download', (file) => file.suggestedFilename().endsWith('.jsonl'));
  const calls = requestsTo(page, /export-activity/);
  const { release } = await holdRequests(page, /export-activity/);
  // The second export does not wait for the first one.
  for (const format of ['CSV file', 'JSON lines']) {
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: format }).press('Enter');
  }
  await expect.poll(() => calls.length).toBe(2);
  release();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^activity-\d{4}-\d\d-\d\d\.jsonl$/);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk as Buffer));
  const text = Buffer.concat(chunks).toString();
  expect(text).toContain(name);
  // The first line says that the list is filtered.
  expect(text.trimEnd().split('\n')).toHaveLength(2);
  await page.goto('/admin/activity?kind=exports');
  await expect(entries(page).first()).toContainText('exported the list of activity');
  await expect(entries(page).first()).toContainText('Console');
});

test.describe('in a time zone with another day than UTC', () => {
  const timezoneId = new Date().getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati';
  test.use({ timezoneId });

  test('names an exported file after the local day', async ({ page }) => {
    const day = new Intl.DateTimeFormat('sv', { timeZone: timezoneId }).format();
    await page.goto('/admin/activity');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'CSV file' }).press('Enter');
    expect((await download).suggestedFilename()).toBe(`activity-${day}.csv`);
  });
});

test('shows an error with Retry, and denies access without the role', async ({
  page,
  expectMessage,
  users,
  openBrowser,
}) => {
  expectMessage(failedLoad(503));
  await respondWith(page, /list-activity$/, 503, { error: 'The database is unavailable.', code: 'x' });
  await page.goto('/admin/activity');
  await expect(page.getByText('The activity could not be loaded')).toBeVisible();
  await page.unroute(/list-activity$/);
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await expect(entries(page).first()).toBeVisible();
  const other = await openBrowser(await users.plain());
  const requests: string[] = [];
  other.on('request', (request) => requests.push(request.url()));
  await other.goto('/admin/activity');
  await expect(other.getByText('Access Denied', { exact: true })).toBeVisible();
  expect(requests.filter((url) => url.includes('activity') && url.includes('/functions/'))).toEqual([]);
});

test('shows the activity of an account in its panel, and loads it as it scrolls', async ({
  page,
  instance,
}) => {
  const { id, name } = await createAccount(instance, 'panel');
  await changeCity(
    instance,
    id,
    Array.from({ length: 120 }, (_, index) => `City ${index}`),
  );
  await page.goto(`/admin/accounts?account=${id}`);
  await panel(page, name)
    .getByRole('tab', { name: /^Activity/ })
    .click();
  const list = panel(page, name).getByRole('list', { name: 'Activity' });
  await expect(list.getByRole('listitem')).toHaveCount(100);
  await expect(list.getByRole('listitem').first()).toContainText('City 119');
  await expect(list.getByRole('listitem').first()).toContainText('API client');
  await list.getByRole('listitem').last().scrollIntoViewIfNeeded();
  await expect(list.getByRole('listitem')).toHaveCount(121);
  await expect(list.getByRole('listitem').last()).toContainText(`created ${name}`);
  expect(await violationsOn(page)).toEqual([]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`has no accessibility violations, ${colorScheme}`, async ({ page, instance }) => {
    const { id } = await createAccount(instance, 'axe');
    await changeCity(instance, id, ['x'.repeat(100)]);
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 375, height: 700 });
    await page.goto(`/admin/activity?record=${id}`);
    await expect(entries(page)).toHaveCount(2);
    expect(await violationsOn(page)).toEqual([]);
    expect(await horizontalOverflow(page)).toBe(0);
  });
