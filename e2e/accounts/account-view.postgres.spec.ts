/** The view menu of the accounts screen: order, status, row height, export and print. */
import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor, rows, search } from '../support/accounts-page.ts';
import { expect, failedLoad, holdRequests, test, toastWith } from '../support/console-fixtures.ts';

test.use({ external: true, as: 'administrator' });

/** Inserts the accounts `Team 0001` to `Team n`. Every tenth is suspended, one is on hold; the oldest is the last one. */
const fill = async (
  sql: (text: string, values?: unknown[]) => Promise<unknown>,
  count: number,
): Promise<void> => {
  await sql('truncate public.accounts cascade');
  await sql(
    `insert into public.accounts (name, slug, account_type, status, created_at, updated_at)
     select 'Team ' || to_char(n, 'FM0000'), 'team-' || n,
       case n % 2 when 0 then 'enterprise' else 'organization' end::public.account_type,
       case when n % 10 = 0 then 'suspended' when n = 7 then 'on hold' else 'active' end,
       now() - n * interval '1 minute', now() - (n * 37 % 301) * interval '1 hour'
     from generate_series(1, $1::int) n`,
    [count],
  );
};

const footer = (page: Page, total: number) => page.getByText(`Page 1 of 1 (${total} total)`, { exact: true });
const viewButton = (page: Page) => page.getByRole('button', { name: /^View/ });
const menu = (page: Page) => page.getByRole('dialog', { name: 'View' });
const openMenu = async (page: Page) => {
  await viewButton(page).click();
  await expect(menu(page)).toBeVisible();
  return menu(page);
};
const firstNames = async (page: Page, count: number): Promise<string[]> =>
  (await rows(page).getByRole('link').allInnerTexts()).slice(0, count);

for (const count of [0, 1, 301]) {
  test(`sorts, filters and exports a list of ${count} accounts`, async ({ page, sql }) => {
    await fill(sql, count);
    await openAccounts(page);
    const view = await openMenu(page);
    await view.getByLabel('Sort by').selectOption('Name');
    await view.getByLabel('Direction').selectOption('Descending');
    await expect(page).toHaveURL(/[?&]sort=name\.desc/);
    await expect(footer(page, count)).toBeVisible();
    if (count > 0) await expect(rows(page).first()).toContainText(`Team ${String(count).padStart(4, '0')}`);
    else await expect(page.getByText('No accounts yet')).toBeVisible();
    await view.getByLabel('Status').selectOption('Suspended');
    const suspended = Math.floor(count / 10);
    await expect(footer(page, suspended)).toBeVisible();
    const download = page.waitForEvent('download');
    await view.getByRole('button', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('accounts.csv');
    const lines = fs
      .readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines.length).toBe(suspended + 1);
    if (suspended > 0) expect(lines[1]).toContain(',Team 0300,team-300,enterprise,');
    await expect(toastWith(page, 'accounts.csv saved')).toBeVisible();
    await expect(menu(page)).toHaveCount(0);
  });
}

test('keeps order and status at Back, at a reload, in the panel and with a search', async ({ page, sql }) => {
  await fill(sql, 301);
  await openAccounts(page);
  const view = await openMenu(page);
  await view.getByLabel('Sort by').selectOption('Status');
  await expect.poll(() => firstNames(page, 1)).not.toEqual(['Team 0001']);
  await expect(page).toHaveURL(/sort=status\.asc/);
  await view.getByLabel('Sort by').selectOption('Last updated');
  await expect(view.getByLabel('Direction')).toHaveValue('desc');
  await view.getByLabel('Status').selectOption('Other');
  await expect(footer(page, 1)).toBeVisible();
  await expect(rowFor(page, 'Team 0007')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewButton(page)).toHaveAccessibleName('View 2 changed');
  await page.goBack();
  await expect(footer(page, 301)).toBeVisible();
  await page.goForward();
  await expect(footer(page, 1)).toBeVisible();
  await page.reload();
  await expect(footer(page, 1)).toBeVisible();
  await rowFor(page, 'Team 0007').getByRole('link').click();
  await expect(panel(page, 'Team 0007')).toBeVisible();
  await expect(page).toHaveURL(/sort=updated\.desc.*status=other|status=other.*sort=updated\.desc/);
  await page.keyboard.press('Escape');
  await search(page).fill('nothing here');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(footer(page, 301)).toBeVisible();
  await (await openMenu(page)).getByRole('button', { name: 'Reset view' }).click();
  await expect(menu(page)).toHaveCount(0);
  await expect(viewButton(page)).toHaveAccessibleName('View');
  await expect(page).toHaveURL(/\/admin\/accounts$/);
  await expect.poll(() => firstNames(page, 2)).toEqual(['Team 0001', 'Team 0002']);
});

test('sorts names without regard to case and accents, as it searches', async ({ page, sql }) => {
  await fill(sql, 0);
  for (const name of ['Éclair', 'eagle', 'Zürich', 'ærø', 'Echo', 'zulu', 'ÄON'])
    await sql(`insert into public.accounts (name, slug, account_type) values ($1, 'x', 'enterprise')`, [
      name,
    ]);
  await openAccounts(page, '?sort=name');
  await expect
    .poll(() => firstNames(page, 7))
    .toEqual(['ærø', 'ÄON', 'eagle', 'Echo', 'Éclair', 'zulu', 'Zürich']);
});

test('reads a sorted list of thousands by pages', async ({ page, sql }) => {
  await fill(sql, 3000);
  await openAccounts(page, '?sort=type.asc');
  const frame = page.getByRole('region', { name: 'Accounts' });
  const expected = await sql('select id from public.accounts order by account_type, id');
  // Every page is read with a cursor, also across the end of the first type.
  for (let row = 1; row <= 2999; row += 150) {
    await frame.evaluate((element, top) => element.scrollTo(0, top), (row - 1) * 44);
    await expect(frame.locator(`[aria-rowindex="${row + 1}"]`)).toHaveAttribute(
      'data-account',
      String(expected[row - 1]?.['id']),
    );
  }
});

test('remembers low rows in this browser', async ({ page, sql }) => {
  await fill(sql, 301);
  await openAccounts(page);
  const height = async (): Promise<number> => (await rows(page).first().boundingBox())?.height ?? 0;
  expect(await height()).toBe(44);
  await (await openMenu(page)).getByLabel('Rows').selectOption('Compact');
  await expect.poll(height).toBe(32);
  await page.reload();
  await expect(footer(page, 301)).toBeVisible();
  expect(await height()).toBe(32);
  await expect(viewButton(page)).toHaveAccessibleName('View 1 changed');
  await page.keyboard.press('Tab');
  // A virtual list with this height has its last row at its end.
  await rows(page).getByRole('link').first().focus();
  await page.keyboard.press('End');
  await expect(rowFor(page, 'Team 0301').getByRole('link')).toBeFocused();
  await (await openMenu(page)).getByRole('button', { name: 'Reset view' }).click();
  await expect.poll(height).toBe(44);
});

test('prints all rows of a list of thousands, with whole names', async ({ page, sql }) => {
  await fill(sql, 1500);
  const name = `${'Mountain Rescue '.repeat(12)}End`;
  await sql(`update public.accounts set name = $1 where slug = 'team-1500'`, [name]);
  await openAccounts(page, '?sort=name.desc');
  const printed = page.evaluate(
    () =>
      new Promise<{ count: number; text: string }>((resolve) => {
        window.print = () => {
          dispatchEvent(new Event('beforeprint'));
          const all = document.querySelectorAll('[data-account]');
          resolve({ count: all.length, text: document.querySelector('tbody')?.textContent ?? '' });
          dispatchEvent(new Event('afterprint'));
        };
      }),
  );
  await (await openMenu(page)).getByRole('button', { name: 'Print' }).click();
  const { count, text } = await printed;
  expect(count).toBe(1500);
  expect(text).toContain(name);
  expect(text).not.toContain('not loaded');
  await expect(menu(page)).toHaveCount(0);
});

test('reports a failed export, and exports again with Retry', async ({ page, sql, expectMessage }) => {
  expectMessage(failedLoad(503));
  await fill(sql, 1);
  await openAccounts(page);
  await page.route(
    '**/functions/v1/export-accounts',
    (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'The database is unavailable.', code: 'database_unavailable' },
      }),
    { times: 1 },
  );
  await (await openMenu(page)).getByRole('button', { name: 'Export CSV' }).click();
  const failed = toastWith(page, 'Error exporting accounts');
  await expect(failed).toContainText('The database is unavailable.');
  // The error does not cover the controls of the menu on a small screen.
  await page.setViewportSize({ width: 375, height: 480 });
  const button = (await openMenu(page)).getByRole('button', { name: 'Export CSV' });
  await button.scrollIntoViewIfNeeded();
  const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual((await failed.boundingBox())?.y ?? 0);
  await page.keyboard.press('Escape');
  const download = page.waitForEvent('download');
  await failed.getByRole('button', { name: 'Retry' }).click();
  await download;
  await expect(failed).toHaveCount(0);
});

test('cancels an export', async ({ page, sql }) => {
  await fill(sql, 1);
  await openAccounts(page);
  const held = await holdRequests(page, /export-accounts/);
  await (await openMenu(page)).getByRole('button', { name: 'Export CSV' }).click();
  const running = toastWith(page, 'Exporting accounts...');
  await running.getByRole('button', { name: 'Cancel' }).click();
  await expect(running).toHaveCount(0);
  held.release();
  await expect(toastWith(page, /saved|Error/)).toHaveCount(0);
});

test('sorts, filters and exports by keyboard alone', async ({ page, sql }) => {
  await fill(sql, 301);
  await openAccounts(page);
  await page.getByLabel('Subtype', { exact: true }).focus();
  await page.keyboard.press('Tab');
  await expect(viewButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(menu(page).getByLabel('Sort by')).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  // Typing selects an option.
  await page.keyboard.type('Name');
  await expect(page).toHaveURL(/sort=name\.asc/);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Desc');
  await expect(page).toHaveURL(/sort=name\.desc/);
  await expect.poll(() => firstNames(page, 1)).toEqual(['Team 0301']);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Susp');
  await expect(footer(page, 30)).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(menu(page).getByRole('button', { name: 'Export CSV' })).toBeFocused();
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  await download;
  await expect(viewButton(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(viewButton(page)).toBeFocused();
});

test.describe('a member', () => {
  test.use({ as: 'plain' });
  test('sees no export', async ({ page }) => {
    await page.goto('/admin/accounts');
    const view = await openMenu(page);
    await expect(view.getByLabel('Sort by')).toBeVisible();
    await expect(view.getByRole('button', { name: 'Print' })).toBeVisible();
    await expect(view.getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  });
});
