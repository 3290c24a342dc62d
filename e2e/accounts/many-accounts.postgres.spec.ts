/** A list of thousands of accounts. Uses Postgres, because other tests must not see them. */
import type { Page } from '@playwright/test';
import { expect, holdRequests, test } from '../support/console-fixtures.ts';
import { openAccounts, openDialog, panel, rowFor, rows, search } from '../support/accounts-page.ts';
import { account, insertRows } from '../support/api.ts';
import { requestsTo } from '../support/forms.ts';
import { openPalette } from '../support/palette.ts';
import { isClockAhead } from '../support/page-conditions.ts';

/** Reads the number of printed accounts and the last printed row. */
async function readPrintedList(page: Page): Promise<{ accounts: number; lastRow: string }> {
  const printedList = await page.evaluateHandle(() => {
    const result = { accounts: 0, lastRow: '' };
    const read = (): void => {
      const all = [...document.querySelectorAll('tr')];
      result.accounts = all.filter((row) => row.matches('[data-account]')).length;
      result.lastRow = all.at(-1)?.textContent ?? '';
    };
    addEventListener('beforeprint', read, { once: true });
    return result;
  });
  await page.pdf();
  return printedList.jsonValue();
}

test.use({ external: true, as: 'administrator' });

const footer = (page: Page, total: number) => page.getByText(`Page 1 of 1 (${total} total)`, { exact: true });

/** Returns the names of the accounts in view, from top to bottom. */
const namesInView = (page: Page): Promise<string[]> =>
  page.getByRole('region', { name: 'Accounts' }).evaluate((frame) => {
    const headEnd = frame.querySelector('th')?.getBoundingClientRect().bottom ?? 0;
    const footerTop = frame.nextElementSibling?.getBoundingClientRect().top ?? 0;
    const end = Math.min(frame.getBoundingClientRect().bottom, footerTop);
    return [...frame.querySelectorAll('[data-account]')]
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= headEnd - 1 && bottom <= end;
      })
      .map((row) => row.querySelector('a')?.textContent ?? '');
  });

/** Inserts the accounts 'Bulk 1' (the newest) to 'Bulk n'. Even numbers are enterprises. */
const bulkAccounts = `
  insert into public.accounts (name, slug, account_type, status, created_at)
  select 'Bulk ' || n, 'bulk-' || n, case n % 2 when 0 then 'enterprise' else 'organization' end::public.account_type,
    'active', now() - n * interval '1 minute'
  from generate_series(1, $1::int) n`;

test(
  'lists all accounts, newest first, for any number of rows per page',
  { tag: ['@C095', '@C096', '@C250'] },
  async ({ page, sql }) => {
    const total = 30;
    await sql('truncate public.accounts cascade');
    await sql(bulkAccounts, [total]);
    await openAccounts(page);
    await expect(footer(page, total)).toBeVisible();
    await expect(rows(page)).toHaveCount(total);
    const region = page.getByRole('region', { name: 'Accounts' });
    const low = (await region.boundingBox())?.height ?? 0;
    await page.getByLabel('Rows per page').selectOption('25');
    await expect.poll(async () => (await region.boundingBox())?.height).toBeGreaterThan(low);
    await expect(rows(page)).toHaveCount(total);
    await expect(footer(page, total)).toBeVisible();
    const times = await rows(page)
      .locator('time')
      .evaluateAll((all) => all.map((each) => each.getAttribute('datetime')));
    expect(times).toEqual([...times].sort((a, b) => String(b).localeCompare(String(a))));
  },
);

test('searches a complete list without a request', { tag: '@C076' }, async ({ page, instance, sql }) => {
  // The list is complete after a second request.
  await sql('truncate public.accounts cascade');
  await sql(bulkAccounts, [400]);
  await insertRows(instance, 'accounts', [account('Local 100% _sure_ (a.b)')]);
  const remaining = page.waitForResponse(/[?&]limit=1000/);
  await openAccounts(page);
  await remaining;
  const requests = requestsTo(page, /\/rest\/v1\/accounts/);
  for (const text of ['Local 100%', '_sure_', '(a.b)']) {
    await search(page).fill(text);
    await expect(rowFor(page, 'Local 100% _sure_ (a.b)')).toBeVisible();
  }
  await search(page).fill('Local.100');
  await expect(page.getByText('No accounts match your filters')).toBeVisible();
  expect(requests).toHaveLength(0);
});

test('shows no row twice if another client deletes a row between the requests of two pages', async ({
  page,
  sql,
}) => {
  await sql('truncate public.accounts cascade');
  await sql(bulkAccounts, [2000]);
  let lastOfFirstPage: unknown;
  await page.route(/\/rest\/v1\/accounts\?/, async (route) => {
    const response = await route.fetch();
    const accounts = (await response.json()) as unknown[];
    const isLaterPage = route.request().url().includes('created_at=lte');
    if (!isLaterPage) lastOfFirstPage = accounts.at(-1);
    const json = isLaterPage ? [lastOfFirstPage, ...accounts.slice(0, -1)] : accounts;
    await route.fulfill({ response, json });
  });
  await openAccounts(page);
  await expect(footer(page, 2000)).toBeVisible();
  const frame = page.getByRole('region', { name: 'Accounts' });
  const height = (): Promise<number> => frame.evaluate(({ scrollHeight }) => scrollHeight);
  const heightBefore = await height();
  const scrollToRow = (index: number): Promise<void> =>
    frame.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), index / 2000);
  await scrollToRow(198);
  await expect.poll(() => namesInView(page)).toContain('Bulk 202');
  await expect(frame.getByRole('link', { name: 'Bulk 200', exact: true })).toHaveCount(1);
  await scrollToRow(0);
  await expect.poll(() => namesInView(page)).toContain('Bulk 1');
  expect(await height()).toBe(heightBefore);
});

test('searches a list that is not loaded completely', async ({ page, sql }) => {
  await sql('truncate public.accounts cascade');
  await sql(bulkAccounts, [2000]);
  await sql(`
    insert into public.accounts (name, slug, account_type, city, created_at)
    select case n when 100 then 'Härbor 100' else 'Old Harbor ' || n end, 'h-' || n, 'enterprise',
      case when n <= 4 then 'Zürich' end, now() - interval '1 year' - n * interval '1 minute'
    from generate_series(1, 100) n`);
  await openAccounts(page);
  await expect(footer(page, 2100)).toBeVisible();
  await search(page).fill('harbor old 42');
  await expect(footer(page, 1)).toBeVisible();
  await search(page).fill('haerb');
  await expect(footer(page, 1)).toBeVisible();
  await expect(rowFor(page, 'Härbor 100')).toBeVisible();
  await search(page).fill('zuerich harbor');
  await expect(page.getByText('No accounts match your filters')).toBeVisible();
  await page.getByRole('button', { name: 'Search cities and contacts too' }).click();
  await expect(footer(page, 4)).toBeVisible();
  // The oldest account is the only one whose name starts with the text.
  await openPalette(page);
  await page.keyboard.insertText('harbor');
  const options = page.getByRole('group', { name: 'Accounts' }).getByRole('option');
  await expect(options).toHaveCount(9);
  await expect(options.first()).toContainText('Härbor 100');
  await options.last().click();
  await expect(footer(page, 100)).toBeVisible();
});

test('shows rows if more rows per page make the page scroll instead of the list', async ({ page, sql }) => {
  await sql('truncate public.accounts cascade');
  await sql(bulkAccounts, [5000]);
  await openAccounts(page);
  await expect(footer(page, 5000)).toBeVisible();
  await page.getByRole('region', { name: 'Accounts' }).evaluate((frame) => {
    frame.scrollTo(0, frame.scrollHeight / 2);
  });
  await expect.poll(async () => (await namesInView(page))[0]).not.toBe('Bulk 1');
  await page.getByLabel('Rows per page').selectOption('50');
  await expect.poll(() => namesInView(page)).toContain('Bulk 1');
});

for (const total of [299, 301, 1001, 5000]) {
  test(`shows the rows of ${total} accounts again after another screen`, async ({
    page,
    context,
    sql,
    expectMessage,
  }) => {
    expectMessage(/ERR_INTERNET_DISCONNECTED/);
    await sql('truncate public.accounts cascade');
    await sql(bulkAccounts, [total]);
    await openAccounts(page);
    const expectRows = async (count: number, first: string): Promise<void> => {
      await expect(footer(page, count)).toBeVisible();
      await expect.poll(async () => (await namesInView(page)).length).toBeGreaterThanOrEqual(9);
      expect((await namesInView(page))[0]).toBe(first);
    };
    const leave = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Logs', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    };
    const leaveAndReturn = async (count: number, first: string): Promise<void> => {
      await leave();
      await page.goBack();
      await expectRows(count, first);
    };
    await expectRows(total, 'Bulk 1');
    await leave();
    await page.getByRole('link', { name: 'Accounts', exact: true }).click();
    await expectRows(total, 'Bulk 1');
    await leaveAndReturn(total, 'Bulk 1');
    // Back restores the scroll position in the list.
    const frame = page.getByRole('region', { name: 'Accounts' });
    const end = async (): Promise<void> => {
      await frame.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await expect.poll(async () => (await namesInView(page)).at(-1)).toBe(`Bulk ${total}`);
    };
    await end();
    await leave();
    await page.goBack();
    await expect.poll(async () => (await namesInView(page)).at(-1)).toBe(`Bulk ${total}`);
    await page.getByLabel('Type', { exact: true }).selectOption('enterprise');
    const half = Math.floor(total / 2);
    await frame.evaluate((element) => element.scrollTo(0, 0));
    await expectRows(half, 'Bulk 2');
    await leaveAndReturn(half, 'Bulk 2');
    // Offline, with the loaded rows.
    await context.setOffline(true);
    await leaveAndReturn(half, 'Bulk 2');
    await page.getByLabel('Type', { exact: true }).selectOption('all');
    await expectRows(total, 'Bulk 1');
    await leaveAndReturn(total, 'Bulk 1');
    await context.setOffline(false);
  });
}

test(
  'moves the focus by keys in a long list, also to rows that are not loaded',
  { tag: '@I6' },
  async ({ page, sql }) => {
    await sql('truncate public.accounts cascade');
    await sql(bulkAccounts, [5000]);
    await openAccounts(page);
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    /** Presses the key and waits until the row has the focus, which must not leave the list. */
    const press = async (key: string, number: number): Promise<void> => {
      await page.keyboard.press(key);
      await expect
        .poll(async () => {
          expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('A');
          return focused();
        })
        .toBe(`Bulk ${number}`);
      expect(await namesInView(page)).toContain(`Bulk ${number}`);
    };
    await page.getByRole('link', { name: 'Bulk 1', exact: true }).focus();
    await press('ArrowDown', 2);
    // The previous row keeps the focus until the target is loaded. Further keys start from the target.
    const { release } = await holdRequests(page, /[?&]offset=/);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => page.locator('[data-skeleton-row]').count()).toBeGreaterThan(0);
    expect(await focused()).toBe('Bulk 2');
    release();
    await expect.poll(focused).toBe('Bulk 4999');
    await press('ArrowDown', 5000);
    await press('ArrowDown', 5000);
    await press('ArrowUp', 4999);
    await press('Home', 1);
    await press('ArrowUp', 1);
    const rowsPerScreen = (await namesInView(page)).length - 1;
    await press('PageDown', 1 + rowsPerScreen);
    await press('PageDown', 1 + 2 * rowsPerScreen);
    await press('PageUp', 1 + rowsPerScreen);
    // A row keeps the focus when it is scrolled out of view.
    const frame = page.getByRole('region', { name: 'Accounts' });
    await frame.evaluate((element) => element.scrollTo(0, 100_000));
    await expect.poll(async () => (await namesInView(page))[0]).toBe('Bulk 2274');
    await press('ArrowDown', 2 + rowsPerScreen);
    // In a low window, where the page scrolls.
    await page.setViewportSize({ width: 1280, height: 500 });
    await press('Home', 1);
    // The banner about a wrong clock needs the height of a row.
    await press('PageDown', isClockAhead ? 3 : 4);
    await press('End', 5000);
    await press('PageUp', 4996);
  },
);

test(
  'searches, scrolls and prints a list of five thousand accounts',
  { tag: ['@X16', '@C095', '@C096', '@I4'] },
  async ({ page, instance, sql }) => {
    await sql('delete from public.accounts');
    const all = Array.from({ length: 5000 }, (_, n) =>
      account(`Bulk ${n} Team`, { account_type: n % 2 === 0 ? 'enterprise' : 'organization' }),
    );
    await insertRows(instance, 'accounts', all.slice(0, 400));
    const rest = page.waitForResponse(/[?&]limit=1000/);
    await openAccounts(page);
    expect(await rows(page).count()).toBeLessThan(200);
    // A list of up to 1,000 accounts loads completely, after the first rows are shown. Print shows all of them.
    await rest;
    const countPrinted = () =>
      page.evaluate(() => {
        dispatchEvent(new Event('beforeprint'));
        const { length } = document.querySelectorAll('[data-account]');
        dispatchEvent(new Event('afterprint'));
        return length;
      });
    await expect.poll(countPrinted).toBe(400);
    for (let from = 400; from < all.length; from += 1000)
      await insertRows(instance, 'accounts', all.slice(from, from + 1000));
    await openAccounts(page);
    await expect(page.getByText('Page 1 of 1 (5000 total)', { exact: true })).toBeVisible();
    // The DOM contains only rows near the viewport.
    expect(await rows(page).count()).toBeLessThan(200);
    // Print shows all loaded rows and leaves the screen unchanged.
    expect(await readPrintedList(page)).toEqual({
      accounts: 200,
      lastRow: '4800 more accounts are not loaded',
    });
    await expect.poll(() => rows(page).count()).toBeLessThan(200);
    await search(page).fill('bulk 4321 t');
    await expect(page.getByText('Page 1 of 1 (1 total)', { exact: true })).toBeVisible();
    await expect(rowFor(page, 'Bulk 4321 Team')).toBeVisible();
    await search(page).fill('');
    await page.getByLabel('Type', { exact: true }).selectOption('enterprise');
    await expect(page.getByText('Page 1 of 1 (2500 total)', { exact: true })).toBeVisible();
    const frame = page.getByRole('region', { name: 'Accounts' });
    /** @param row `aria-rowindex`, where the header is row 1 */
    const scrollTo = async (row: number): Promise<void> => {
      await frame.evaluate((element, top) => element.scrollTo(0, top), (row - 2) * 44);
      await expect(frame.locator(`[data-account][aria-rowindex="${row}"]`)).toBeVisible();
    };
    // Scrolls from the middle to the end, over the page before the last one.
    await scrollTo(1000);
    await scrollTo(2300);
    await scrollTo(2501);
    const last = rows(page)
      .filter({ hasText: /^Bulk \d+ Team/ })
      .last();
    await expect(last).toHaveAttribute('aria-rowindex', '2501');
    const name = (await last.getByRole('link').textContent()) ?? '';
    await last.getByRole('link').click();
    await expect(panel(page, name)).toBeVisible();
    // A new account at the top moves all rows.
    await page.keyboard.press('Escape');
    const form = await openDialog(page);
    await form.getByLabel('Account Name').fill('Newest Team');
    await form.getByLabel('Type').selectOption('enterprise');
    await form.getByRole('button', { name: 'Create Account' }).click();
    await expect(page.getByText('Page 1 of 1 (2501 total)', { exact: true })).toBeVisible();
    await scrollTo(2502);
    await sql('delete from public.accounts');
  },
);
