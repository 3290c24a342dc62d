/** The accounts screen: list, filters and panel. */
import {
  respondWith,
  expect,
  failedLoad,
  holdRequests,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { openAccounts, panel, rowFor, rows, search, table } from '../support/accounts-page.ts';
import { requestsTo } from '../support/forms.ts';
import { account, insertRows, requestOk, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';

test.use({ as: 'administrator' });

test(
  'shows search, filters, columns and page sizes',
  { tag: ['@C075', '@C076', '@C080', '@C082', '@C084', '@C093', '@C094'] },
  async ({ page }) => {
    await openAccounts(page);
    for (const word of [/name/i, /email/i, /phone/i])
      await expect(search(page)).toHaveAttribute('placeholder', word);
    await expect(page.getByLabel('Type', { exact: true }).getByRole('option')).toHaveText([
      'All',
      'Enterprise',
      'Organization',
    ]);
    await expect(page.getByLabel('Subtype', { exact: true }).getByRole('option')).toHaveText(['All']);
    const heads = table(page).getByRole('columnheader');
    await expect(heads).toHaveCount(6);
    expect((await heads.allInnerTexts()).slice(0, 5)).toEqual([
      'Name',
      'Type',
      'Subtype',
      'Users',
      'Contact',
    ]);
    const perPage = page.getByLabel('Rows per page');
    await expect(perPage.getByRole('option')).toHaveText(['10', '25', '50', '100']);
    await expect(perPage).toHaveValue('10');
  },
);

test('sorts by the headers by keyboard, and shows the order in the View menu', async ({ page, instance }) => {
  const word = unique('order');
  await insertRows(instance, 'accounts', [
    account(`${word} B`, { account_type: 'enterprise' }),
    account(`${word} A`),
    account(`${word} C`),
  ]);
  const listed = async (): Promise<string[]> =>
    (await rows(page).getByRole('link').allTextContents()).map((name) => name.slice(-1));
  await openAccounts(page, `?q=${word}`);
  await expect(rows(page)).toHaveCount(3);
  const unsorted = await listed();
  const header = table(page).getByRole('columnheader', { name: 'Name' });
  await header.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect.poll(listed).toEqual(['A', 'B', 'C']);
  await expect(header).toHaveAttribute('aria-sort', 'ascending');
  await page.keyboard.press('Enter');
  await expect.poll(listed).toEqual(['C', 'B', 'A']);
  await expect(header).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: /^View/ }).click();
  await expect(page.getByLabel('Sort by')).toHaveValue('name');
  await page.keyboard.press('Escape');
  await header.getByRole('button').click();
  await expect.poll(listed).toEqual(unsorted);
  await expect(header).not.toHaveAttribute('aria-sort');
  await expect(page).not.toHaveURL(/sort=/);
});

test(
  'searches only name and slug, case-insensitively',
  { tag: ['@C005', '@C077', '@C078', '@C079'] },
  async ({ page, instance }) => {
    const word = unique('zq');
    await insertRows(instance, 'accounts', [
      account(`${word} North Shore!!`, { city: `City${word}x`, state: 'HI', address: `${word}street 1` }),
      account(`${word} Harbor`, { city: 'Lakeside', zip_code: '99501' }),
    ]);
    await openAccounts(page);
    await search(page).fill(`${word} NORTH`);
    await expect(rows(page)).toHaveCount(1);
    await expect(rowFor(page, `${word} North Shore!!`)).toBeVisible();
    await search(page).fill(`${word.toUpperCase()}-NORTH-SHORE`);
    await expect(rows(page)).toHaveCount(1);
    await search(page).fill(`${word.toUpperCase()} h`);
    await expect(rowFor(page, `${word} Harbor`)).toBeVisible();
    for (const other of [`City${word}x`, `${word}street`, '99501', 'admin@example.com']) {
      await search(page).fill(other);
      await expect(page.getByText('No accounts match your filters')).toBeVisible();
      await expect(page.getByText('No accounts yet')).toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(search(page)).toHaveValue('');
    await expect(rowFor(page, `${word} Harbor`)).toBeVisible();
    // The limit is the maximum length of a name.
    await search(page).focus();
    await page.keyboard.insertText('x'.repeat(300));
    await expect(search(page)).toHaveValue('x'.repeat(200));
  },
);

test('a search in a list that is out of date finds accounts created since', async ({ page, instance }) => {
  await page.clock.install();
  await openAccounts(page);
  const name = unique('Recent');
  await insertRows(instance, 'accounts', [account(name)]);
  await page.clock.fastForward(31_000);
  await search(page).fill(name);
  await expect(rowFor(page, name)).toBeVisible();
});

test(
  'filters by type and search together',
  { tag: ['@C080', '@C081', '@C082', '@C083', '@C086', '@I34'] },
  async ({ page, instance }) => {
    const word = unique('types');
    await insertRows(instance, 'accounts', [
      account(`${word} One`, { account_type: 'enterprise' }),
      account(`${word} Two`, { account_type: 'organization' }),
      account(`${word} Three`, { account_type: 'enterprise' }),
    ]);
    await openAccounts(page);
    await search(page).fill(word);
    await expect(rows(page)).toHaveCount(3);
    const type = page.getByLabel('Type', { exact: true });
    await type.selectOption({ label: 'Enterprise' });
    await expect(rows(page)).toHaveCount(2);
    await expect(
      rowFor(page, `${word} One`).locator('[data-variant]').filter({ hasText: 'Enterprise' }),
    ).toBeVisible();
    await type.selectOption({ label: 'Organization' });
    await expect(rows(page)).toHaveCount(1);
    await expect(
      rowFor(page, `${word} Two`).locator('[data-variant]').filter({ hasText: 'Organization' }),
    ).toBeVisible();
    await type.selectOption({ label: 'All' });
    await expect(rows(page)).toHaveCount(3);
    const requests = requestsTo(page, /\/rest\/v1\//);
    await page.getByLabel('Subtype', { exact: true }).selectOption({ label: 'All' });
    await expect(rows(page)).toHaveCount(3);
    expect(requests).toHaveLength(0);
    // Filters are URL state, so they survive a reload.
    await type.selectOption({ label: 'Enterprise' });
    await expect(page).toHaveURL(/type=enterprise/);
    // The search text follows after the debounce.
    await expect(page).toHaveURL(/[?&]q=/);
    await page.reload();
    await expect(search(page)).toHaveValue(word);
    await expect(rows(page)).toHaveCount(2);
  },
);

test(
  'shows place, subtype, members and creation date in a row',
  { tag: ['@C085', '@C087', '@C088', '@C089', '@C090'] },
  async ({ page, instance, users }) => {
    const word = unique('rows');
    const [both, city, none, members] = await insertRows(instance, 'accounts', [
      account(`${word} Both`, { city: 'Vail', state: 'CO' }),
      account(`${word} City`, { city: 'Vail' }),
      account(`${word} None`),
      account(`${word} Members`),
    ]);
    const { id } = await users.plain();
    await insertRows(instance, 'account_members', [{ account_id: members?.['id'], user_id: id }]);
    expect([both, city, none]).toHaveLength(3);
    await openAccounts(page, `?q=${word}`);
    const cells = (name: string) => rowFor(page, `${word} ${name}`).getByRole('cell');
    await expect(cells('Both').nth(4)).toHaveText('Vail, CO');
    await expect(cells('City').nth(4)).toHaveText('Vail');
    await expect(cells('None').nth(4)).toHaveText('-');
    await expect(cells('None').nth(2)).toHaveText('-');
    await expect(cells('None').nth(3)).toHaveText('0');
    await expect(cells('Members').nth(3)).toHaveText('1');
    const time = cells('None').first().locator('time');
    expect(new Date((await time.getAttribute('datetime')) ?? '').getTime()).toBe(
      new Date(String(none?.['created_at'])).getTime(),
    );
    await expect(time).toContainText(String(new Date().getFullYear()));
  },
);

test(
  'opens the panel from the row and from its arrow',
  { tag: ['@C091', '@C097', '@C098', '@C099', '@C101', '@C102'] },
  async ({ page, instance }) => {
    const name = `${unique('panel')} Patrol`;
    const [row] = await insertRows(instance, 'accounts', [
      account(name, { account_type: 'enterprise', zip_code: '81657' }),
    ]);
    await openAccounts(page, `?q=${encodeURIComponent(name)}`);
    await rowFor(page, name).getByRole('cell').nth(4).click();
    const side = panel(page, name);
    await expect(side).toBeVisible();
    await expect(side.getByText(String(row?.['slug']), { exact: true })).toBeVisible();
    await expect(side.locator('[data-variant]').filter({ hasText: 'Enterprise' })).toBeVisible();
    await expect(side.locator('[data-variant]').filter({ hasText: /^active$/ })).toBeVisible();
    await expect(side.getByText('81657')).toBeVisible();
    await expect(side.getByText('Address', { exact: true })).toBeVisible();
    await expect(side.locator('dl time')).toHaveCount(2);
    await expect(side.getByText('Created', { exact: true })).toBeVisible();
    await expect(side.getByText('Last updated', { exact: true })).toBeVisible();
    // The open panel is URL state.
    await expect(page).toHaveURL(new RegExp(`account=${String(row?.['id'])}`));
    await page.reload();
    await expect(panel(page, name)).toBeVisible();
    await panel(page, name).getByRole('button', { name: 'Close' }).click();
    await expect(panel(page, name)).toHaveCount(0);
    await rowFor(page, name).getByRole('cell').nth(5).getByRole('button').click();
    await expect(panel(page, name)).toBeVisible();
  },
);

test(
  'omits an empty address and shows an unknown status as read-only text',
  { tag: ['@C100', '@C197', '@C198', '@REL-26'] },
  async ({ page, instance }) => {
    const name = `${unique('bare')} Team`;
    await insertRows(instance, 'accounts', [account(name, { status: 'trial' })]);
    const changes = requestsTo(page, /\/rest\/v1\/accounts/, 'PATCH');
    await openAccounts(page, `?q=${encodeURIComponent(name)}`);
    await rowFor(page, name).click();
    const side = panel(page, name);
    await expect(side.locator('[data-variant]').filter({ hasText: /^trial$/ })).toBeVisible();
    await expect(side.getByText('Address', { exact: true })).toHaveCount(0);
    await expect(side.getByRole('combobox')).toHaveCount(0);
    await expect(side.getByRole('checkbox')).toHaveCount(0);
    await expect(side.getByRole('button', { name: /suspend|activate|status|archive/i })).toHaveCount(0);
    expect(changes).toHaveLength(0);
  },
);

test(
  'shows names in any script and of any length',
  { tag: ['@C077', '@C098', '@CON-02', '@CON-13', '@I3'] },
  async ({ page, instance }) => {
    const word = unique('odd');
    const long = `${word} ${'L'.repeat(200 - word.length - 1)}`;
    const markup = `${word} <img src=x onerror=alert(1)> & "quotes"`;
    const rightToLeft = `${'فريق الإنقاذ الجبلي '.repeat(6)}${word}`;
    await insertRows(instance, 'accounts', [
      account(long),
      account(markup),
      account(`${word} Zürich مرحبا`, { slug: '' }),
      account(rightToLeft),
    ]);
    await openAccounts(page, `?q=${word}`);
    await expect(rows(page)).toHaveCount(4);
    const startIsInView = await rowFor(page, rightToLeft)
      .getByRole('link')
      .evaluate((link) => {
        const start = document.createRange();
        start.setStart(link.firstChild ?? link, 0);
        start.setEnd(link.firstChild ?? link, 1);
        return start.getBoundingClientRect().right <= link.getBoundingClientRect().right;
      });
    expect(startIsInView, 'a long name is cut at its end, in every script').toBe(true);
    await expect(rowFor(page, markup)).toBeVisible();
    await expect(page.locator('img[src=x]')).toHaveCount(0);
    await rowFor(page, long).click();
    await expect(panel(page, long)).toBeVisible();
    expect(await horizontalOverflow(page)).toBe(0);
  },
);

test('shows the next step without accounts', { tag: ['@C092', '@I25'] }, async ({ page }) => {
  // The instance contains accounts of other tests. e2e/support/happy-path.ts checks the empty list of a new instance.
  await page.route(/\/rest\/v1\/accounts\?/, (route) =>
    route.fulfill({ json: [], headers: { 'Content-Range': '*/0' } }),
  );
  await page.goto('/admin/accounts');
  await expect(page.getByText('No accounts yet', { exact: true })).toBeVisible();
  await expect(page.getByText('Create your first account to get started', { exact: true })).toBeVisible();
  await expect(page.getByText('Page 1 of 1 (0 total)', { exact: true })).toBeVisible();
});

test(
  'shows as many skeleton rows as rows per page while loading',
  { tag: ['@C148', '@I23'] },
  async ({ page }) => {
    // The rows fit into both windows, also below the banner about a wrong clock.
    for (const [height, size] of [
      [1500, 25],
      [900, 10],
    ] as const) {
      await page.setViewportSize({ width: 1280, height });
      const { release } = await holdRequests(page, /\/rest\/v1\/accounts/);
      await page.goto(`/admin/accounts?rows=${size}`);
      await expect(page.locator('[data-skeleton-row]')).toHaveCount(size);
      await expect(table(page)).toHaveAttribute('aria-busy', 'true');
      const frame = page.getByRole('region', { name: 'Accounts' });
      const box = await frame.boundingBox();
      release();
      await expect(page.locator('[data-skeleton-row]')).toHaveCount(0);
      expect(await frame.boundingBox(), 'the list does not move').toEqual(box);
      await page.unroute(/\/rest\/v1\/accounts/);
    }
  },
);

test(
  'shows the error and Retry if the list cannot be loaded',
  { tag: ['@C277', '@C295'] },
  async ({ page, expectMessage }) => {
    expectMessage(failedLoad(500));
    const body = { code: 'XX000', message: 'The database is unavailable', details: null, hint: null };
    await respondWith(page, /\/rest\/v1\/accounts/, 500, body);
    await page.goto('/admin/accounts');
    const failure = toastWith(page, 'Error fetching accounts');
    await expect(failure).toContainText('The database is unavailable', { timeout: 20_000 });
    await expect(failure).toHaveAttribute('data-variant', 'destructive');
    await expect(failure).toHaveCount(1);
    await page.unroute(/\/rest\/v1\/accounts/);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText(/^Page 1 of 1/)).toBeVisible();
  },
);

test('treats an empty 404 response as an empty list', { tag: '@C269' }, async ({ page, expectMessage }) => {
  expectMessage(failedLoad(404));
  await respondWith(page, /\/rest\/v1\/accounts/, 404, []);
  await page.goto('/admin/accounts');
  await expect(page.getByText('No accounts yet', { exact: true })).toBeVisible();
  await expect(toastWith(page, /Error/)).toHaveCount(0);
});

test('shows only the full name of the profile', { tag: '@C154' }, async ({ page, instance, users }) => {
  const { id } = await users.administrator();
  const response = page.waitForResponse(/\/rest\/v1\/profiles/);
  await openAccounts(page);
  expect(new URL((await response).url()).searchParams.get('select')).toBe('*');
  const profile = (await (await response).json()) as Record<string, unknown>;
  const text = await page.locator('body').innerText();
  expect(text).toContain('Administrator');
  for (const [name, value] of Object.entries(profile)) {
    if (name !== 'full_name' && typeof value === 'string') expect(text, name).not.toContain(value);
  }
  expect(
    await requestOk(instance, `/rest/v1/profiles?id=eq.${id}`, { token: instance.serviceRoleKey() }),
  ).toHaveLength(1);
});
