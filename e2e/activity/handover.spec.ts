/** The handover page and its printed sheet. */
import type { Page } from '@playwright/test';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import type { Instance } from '../support/fixtures.ts';
import { pressEnter, requestsTo } from '../support/forms.ts';
import { openPalette } from '../support/palette.ts';

test.use({ as: 'administrator' });

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

const createAccount = async (instance: Instance, name: string): Promise<string> => {
  const [row] = await insertRows(instance, 'accounts', [account(name, { city: 'Vail' })]);
  return String(row?.['id']);
};

/** Counts the requests that move the time of the last visit. */
const countConfirmations = (page: Page): { count: number } => {
  const sent = { count: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/confirm-handover')) sent.count += 1;
  });
  return sent;
};

test('is reached, read and copied by keyboard alone', async ({ page, instance }) => {
  const name = `${unique('handover')} Patrol`;
  const id = await createAccount(instance, name);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/admin/accounts');
  await expect(heading(page, 'Accounts')).toBeVisible();
  await openPalette(page);
  await page.keyboard.type('last visit');
  await expect(page.getByRole('option', { name: 'Handover' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Handover')).toBeFocused();
  await expect(page.getByRole('listitem').filter({ hasText: `API client created ${name}` })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Copy as text' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toMatch(/^Handover\n/);
  expect(text).toContain(`API client created ${name}`);
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab');
  await expect(page.getByLabel('Show changes')).toBeFocused();
  await page.keyboard.type('Last 7');
  await expect(page).toHaveURL(/since=7d/);
  await page.reload();
  await expect(page.getByLabel('Show changes')).toHaveValue('7d');
  await page.getByRole('link', { name }).press('Enter');
  await expect(page).toHaveURL(new RegExp(`account=${id}`));
  await expect(page.getByRole('dialog', { name })).toBeVisible();
});

test('links a change of the notification settings to them', async ({ page }) => {
  await page.goto('/admin/notifications');
  await page.getByLabel('Sender Email Address').fill(`${unique('duty')}@example.org`);
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toastWith(page, 'Settings saved')).toBeVisible();
  await page.goto('/admin/handover?since=7d');
  const link = page.getByRole('link', { name: /(added|changed) the notification settings/ }).first();
  await expect(link).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await link.press('Enter');
  await expect(page).toHaveURL(/\/admin\/notifications$/);
});

test('links a change of a contact to the contacts of the account', async ({ page, instance }) => {
  const name = `${unique('contacts')} Patrol`;
  const id = await createAccount(instance, name);
  await insertRows(instance, 'account_contacts', [{ account_id: id, position: 1, name: 'Anna Keller' }]);
  await page.goto('/admin/handover?since=24h');
  const entry = page.getByRole('listitem').filter({ hasText: 'Anna Keller' }).filter({ hasText: name });
  await entry.getByRole('link', { name }).press('Enter');
  const panel = page.getByRole('dialog', { name });
  await expect(panel.getByRole('tab', { name: /^Contacts/ })).toHaveAttribute('aria-selected', 'true');
  await expect(panel.getByRole('tabpanel')).toContainText('Anna Keller');
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/admin\/accounts$/);
});

test('tells how to copy if the browser blocks it', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async () => Promise.reject(new Error('blocked'));
    Reflect.set(document, 'execCommand', () => false);
  });
  await page.goto('/admin/handover');
  await page.getByRole('button', { name: 'Copy as text' }).click();
  await expect(toastWith(page, 'Select the text on the page instead.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy as text' })).toBeVisible();
});

test('is in the menu of the sidebar footer', async ({ page, users }) => {
  await page.goto('/admin/notifications');
  const { fullName } = await users.administrator();
  await page.getByRole('button', { name: fullName }).press('Enter');
  await page.getByRole('menuitem', { name: 'Handover' }).press('Enter');
  await expect(heading(page, 'Handover')).toBeVisible();
  await expect(page.getByRole('navigation').first().getByRole('link')).toHaveCount(8);
});

test('shows changes since a date of the URL', async ({ page }) => {
  await page.goto('/admin/handover?since=2099-01-01');
  await expect(page.getByLabel('Start date')).toHaveValue('2099-01-01');
  await expect(page.getByText('No entries.').first()).toBeVisible();
  const reads = requestsTo(page, /\/functions\/v1\/handover$/);
  const startsOfReads = () => reads.map((read) => String(read.postDataJSON().since).slice(0, 4));
  await page.getByLabel('Start date').fill('2020-01-01');
  await expect.poll(startsOfReads).toEqual(['2019']);
  // The value while a year is typed is no period.
  await page.getByLabel('Start date').fill('0202-01-01');
  await page.getByLabel('Start date').fill('2021-01-01');
  await expect(page).toHaveURL(/since=2021-01-01/);
  await expect.poll(startsOfReads).toEqual(['2019', '2020']);
  await page.goto('/admin/handover?since=nonsense');
  await expect(page.getByLabel('Show changes')).toHaveValue('last');
});

test('confirms a visit only after the page was shown for some seconds', async ({ page }) => {
  const sent = countConfirmations(page);
  await page.clock.install({ time: await page.evaluate(() => Date.now()) });
  await page.goto('/admin/handover');
  await expect(page.getByRole('heading', { name: 'Accounts', level: 2 })).toBeVisible();
  await expect(page.getByText('Visits less than 10 minutes apart count as one.')).toBeVisible();
  // Left before the time has passed. The clock waits, however long the machine takes to leave the page.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 3000));
  await page.getByRole('link', { name: 'Notifications' }).press('Enter');
  await expect(heading(page, 'Notification Settings')).toBeVisible();
  await page.clock.fastForward(10_000);
  expect(sent.count).toBe(0);
  await page.clock.resume();
  // A shorter period leaves out changes since the last visit, or those of the first visit.
  await page.route(/functions\/v1\/handover$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), last_visit: null } });
  });
  await page.goto('/admin/handover?since=2099-01-01');
  await expect(page.getByText('No entries.').first()).toBeVisible();
  await expect(page.getByText('No earlier visit is recorded.')).toHaveCount(0);
  await page.clock.fastForward(6000);
  expect(sent.count).toBe(0);
  await page.unroute(/functions\/v1\/handover$/);
  await page.goto('/admin/handover');
  await expect(page.getByRole('heading', { name: 'Accounts', level: 2 })).toBeVisible();
  const confirmation = page.waitForResponse('**/confirm-handover');
  await page.clock.fastForward(6000);
  expect((await confirmation).status()).toBe(200);
});

test('reports a failed read and reads again', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(503));
  await page.route('**/functions/v1/handover', (route) =>
    route.fulfill({
      status: 503,
      json: { error: 'The database is unavailable', code: 'database_unavailable' },
    }),
  );
  await page.goto('/admin/handover');
  await expect(page.getByText('The changes could not be loaded')).toBeVisible({ timeout: 15_000 });
  await page.unroute('**/functions/v1/handover');
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Settings', level: 2 })).toBeVisible();
});

test('has no accessibility violations, also at 320 px', async ({ page, instance }) => {
  await createAccount(instance, `${unique('wide')} ${'W'.repeat(150)}`);
  for (const url of ['/admin/handover?since=24h', '/admin/handover/sheet']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
  }
});

test('counts no changes that are not listed', async ({ page, instance }) => {
  await createAccount(instance, unique('Counted'));
  await page.route(/functions\/v1\/handover$/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, accounts: { ...body.accounts, more: true } } });
  });
  await page.goto('/admin/handover');
  await expect(page.getByRole('heading', { name: /^Accounts \(first \d+\)$/ })).toBeVisible();
  await expect(page.getByText('There are more entries.')).toBeVisible();
});

test('prints a sheet in black and white, with long names and 5,000 accounts', async ({ page, users }) => {
  const { email } = await users.administrator();
  const longName = `Long ${'name '.repeat(38)}end`;
  await page.route('**/functions/v1/sheet-accounts', async (route) => {
    const { after } = route.request().postDataJSON() as { after?: { key: string } };
    const offset = Number(after?.key ?? 0);
    const accounts = Array.from({ length: 1000 }, (_, index) => ({
      id: `00000000-0000-4000-8000-${String(offset + index).padStart(12, '0')}`,
      name: offset + index === 4999 ? longName : `Account ${offset + index}`,
      account_type: 'enterprise',
      status: 'suspended',
      address: '1 Main Street',
      city: 'Vail',
      state: 'CO',
      zip_code: '81657',
      contacts: [],
    }));
    const next = offset === 4000 ? null : { key: String(offset + 1000), id: accounts.at(-1)?.id };
    await route.fulfill({ json: { accounts, next } });
  });
  await page.goto('/admin/handover/sheet');
  // By selector: a locator by role computes the name of each of the 45,000 elements, which takes seconds.
  await expect(page.locator('h2', { hasText: 'Accounts (5,000)' })).toBeVisible({ timeout: 30_000 });
  // A4 at 96 px per inch with the default margins of browsers.
  await page.setViewportSize({ width: 718, height: 1047 });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const accounts = page.locator('table').last();
  await expect(accounts.locator('tr')).toHaveCount(5001);
  const last = accounts.locator('tr').last();
  await expect(last.locator('td').first()).toHaveText(longName);
  await expect(page.locator('td', { hasText: email })).toBeVisible();
  await expect(page.locator('nav').first()).toBeHidden();
  await expect(page.locator('button', { hasText: 'Print' })).toBeHidden();
  const statusLines = await last
    .getByText('suspended')
    .evaluate((element) => element.getClientRects().length);
  expect(statusLines).toBe(1);
  const style = await last.evaluate((row) => {
    const { color, backgroundColor, breakInside } = getComputedStyle(row);
    const cell = row.querySelector('td');
    return {
      color,
      backgroundColor,
      breakInside,
      isCut: cell === null || cell.scrollWidth > cell.clientWidth,
    };
  });
  expect(style).toEqual({
    color: 'rgb(0, 0, 0)',
    backgroundColor: 'rgb(255, 255, 255)',
    breakInside: 'avoid',
    isCut: false,
  });
  expect(await horizontalOverflow(page)).toBe(0);
  await expect(page.locator('[data-sheet]')).not.toContainText(/eyJ|sb_secret|token=/);
});

test('shows contacts and phone numbers, and takes the filter of the accounts screen', async ({
  page,
  instance,
}) => {
  const [name, other] = [`${unique('sheet')} Patrol`, `${unique('sheet')} Rescue`];
  const id = await createAccount(instance, name);
  await createAccount(instance, other);
  await insertRows(instance, 'account_contacts', [
    {
      account_id: id,
      position: 1,
      name: 'Anna Keller',
      role: 'Duty officer',
      phone: '+41446681800',
      email: 'anna@example.org',
      note: 'Channel 4',
    },
    { account_id: id, position: 2, name: 'Ben', role: null, phone: null, email: null, note: null },
  ]);
  await page.goto(`/admin/accounts?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: /^View/ }).click();
  await page.getByRole('link', { name: 'Emergency sheet' }).focus();
  await pressEnter(page);
  await expect(heading(page, 'Emergency sheet')).toBeFocused();
  await expect(page).toHaveURL(/handover\/sheet\?q=/);
  await expect(page.getByRole('heading', { name: 'Accounts (1)' })).toBeVisible();
  await expect(page.getByText(`Only accounts with Search text: ${name}`)).toBeVisible();
  await expect(page.getByRole('row', { name }).first()).toContainText('Organization');
  const contacts = page.getByRole('list', { name: `Contacts of ${name}` }).getByRole('listitem');
  await expect(contacts).toHaveText([
    'Anna Keller, Duty officer: +41 44 668 18 00, anna@example.org. Channel 4',
    'Ben',
  ]);
  await expect(contacts.getByRole('link')).toHaveAttribute('href', 'tel:+41446681800');
  expect(await violationsOn(page)).toEqual([]);

  const box = page.getByRole('searchbox', { name: 'Search accounts' });
  await box.fill('044 668 18 00');
  await expect(page).toHaveURL(/q=044/);
  await expect(page.getByRole('cell', { name, exact: true })).toBeVisible();
  await box.fill(other);
  await expect(page.getByRole('cell', { name: other, exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name, exact: true })).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Archived');
  await expect(page.getByRole('heading', { name: 'Accounts (0)' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`Only accounts with Search text: ${other}, Status: Archived`)).toBeVisible();
  await expect(box).toBeHidden();
});
