/** The screen that imports accounts from a CSV file. */
import fs from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, failedLoad, holdRequests, test } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { listRows, requestOk, unique } from '../support/api.ts';
import { expectFocusIn } from '../support/focus.ts';
import { requestsTo } from '../support/forms.ts';
import { openPalette } from '../support/palette.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';

test.use({ as: 'administrator' });

const functionUrl = /\/functions\/v1\/import-accounts/;

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const fileInput = (page: Page) => page.getByLabel('CSV or Excel file');
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true });
const resultRows = (page: Page) =>
  page.getByRole('region', { name: 'Result of each row' }).locator('tbody').getByRole('row');

const csvFile = (content: string | Buffer, name = 'accounts.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
});

async function openImport(page: Page): Promise<void> {
  await page.goto('/admin/accounts/import');
  await expect(page.getByRole('heading', { name: 'Import Accounts', level: 1 })).toBeVisible();
}

// Other tests of the shared instance read whole lists.
test.afterEach(async ({ instance }) => {
  await requestOk(instance, '/rest/v1/accounts?name=like.import-*', {
    method: 'DELETE',
    token: instance.serviceRoleKey(),
  });
});

/** Rows with unique names, and a name prefix to find them. */
function manyRows(count: number): { prefix: string; csv: string } {
  const prefix = unique('import');
  const rows = Array.from({ length: count }, (_, index) => `${prefix} ${index},enterprise\n`);
  return { prefix, csv: `name,type\n${rows.join('')}` };
}

test('imports a file by keyboard alone', async ({ page, instance }) => {
  const name = unique('keyboard');
  const csv = `Name;Kind;Town\n${name};Enterprise;Vail\n;Enterprise;\n`;
  await page.goto('/admin/accounts');
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  await openPalette(page);
  await page.keyboard.type('import');
  await expect(page.getByRole('option', { name: 'Import Accounts' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Import Accounts', level: 1 })).toBeFocused();
  expect(await page.title()).toContain('Import Accounts');

  // The check of the focus follows this in the same channel. A key press can overtake it.
  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  await expect(fileInput(page)).toBeFocused();
  await page.keyboard.press('Space');
  await (await chooser).setFiles(csvFile(csv));
  await expect(page.getByText('accounts.csv: 2 rows')).toBeVisible();
  await expect(page.getByLabel('Type')).toHaveValue('1');
  expect(await violationsOn(page)).toEqual([]);

  for (const label of [
    'Encoding',
    'Separator',
    'The first row has the names of the columns',
    'ID',
    'Slug',
    'Account Name',
    'Type',
    'Address',
    'City',
    'State',
    'Zip Code',
  ]) {
    await tabTo(page, page.getByLabel(label, { exact: true }));
    await expect(page.getByLabel(label, { exact: true })).toBeFocused();
  }
  await page.keyboard.press('Tab');
  await expect(button(page, 'Check rows')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(result(page).getByText('1 to create, 0 to change, 0 unchanged, 1 rejected')).toBeVisible();
  expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toEqual([]);

  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Rows', { exact: true })).toBeFocused();
  await page.keyboard.press('P');
  await expect(resultRows(page)).toHaveText(['3RejectedAccount name is required']);
  expect(await violationsOn(page)).toEqual([]);
  await button(page, 'Import 1 row').focus();
  await page.keyboard.press('Enter');
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  expect(await listRows(instance, 'accounts', `name=eq.${name}`)).toMatchObject([
    { account_type: 'enterprise', city: 'Vail' },
  ]);
  await openPalette(page);
  await page.keyboard.type(name);
  await expect(page.getByRole('option', { name })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name })).toBeVisible();
});

test('cancels and continues, and the same file again changes nothing', async ({ page, instance }) => {
  const { prefix, csv } = manyRows(900);
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(csv));
  await button(page, 'Check rows').click();
  await button(page, 'Import 900 rows').click({ timeout: 30_000 });
  await expect(result(page).getByText('The import is complete.')).toBeVisible({ timeout: 30_000 });
  const created = await listRows(instance, 'accounts', `name=like.${prefix}*&select=id,updated_at&order=id`);
  expect(created).toHaveLength(900);

  await fileInput(page).setInputFiles(csvFile(csv));
  const { release } = await holdRequests(page, functionUrl);
  await button(page, 'Check rows').click();
  await expect(page.getByRole('progressbar', { name: 'Checking rows...' })).toHaveAttribute(
    'aria-valuenow',
    '0',
  );
  await button(page, 'Cancel').click();
  await expect(page.getByText('Canceled after 0 of 900 rows.')).toBeVisible();
  release();
  await button(page, 'Continue checking').click();
  await expect(result(page).getByText('The check is complete. There are no rows to import.')).toBeVisible();
  await expect(button(page, /^Import/)).toHaveCount(0);
  expect(await listRows(instance, 'accounts', `name=like.${prefix}*&select=id,updated_at&order=id`)).toEqual(
    created,
  );
});

test('continues after a lost connection, and saves the results', async ({
  page,
  instance,
  expectMessage,
}) => {
  expectMessage(/net::ERR/);
  const { prefix, csv } = manyRows(700);
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(`${csv},enterprise\n`, 'list.csv'));
  await button(page, 'Check rows').click();
  await expect(button(page, 'Import 700 rows')).toBeVisible({ timeout: 30_000 });
  // The first batch arrives, but its response is lost; the second one does not arrive.
  await page.route(
    functionUrl,
    async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await button(page, 'Import 700 rows').click();
  await expect(page.getByText('The connection was lost after 0 of 701 rows.')).toBeVisible();
  await button(page, 'Continue import').click();
  await expect(result(page).getByText('The import is complete.')).toBeVisible({ timeout: 30_000 });
  await expect(result(page).getByText('700 created, 0 changed, 0 unchanged, 1 rejected')).toBeVisible();
  const rows = await listRows(instance, 'accounts', `name=like.${prefix}*&select=id`);
  expect(rows).toHaveLength(700);
  const download = page.waitForEvent('download');
  await button(page, 'Save results').click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('list-results.csv');
  const lines = (await fs.readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n');
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([
    702,
    '\uFEFFline,name,outcome,reason,id',
    '702,,rejected,Account name is required,',
  ]);
});

test('asks before a running import is left, and not before a check', async ({ page }) => {
  const { csv } = manyRows(2);
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(csv));
  const check = await holdRequests(page, functionUrl);
  await button(page, 'Check rows').click();
  await expect(button(page, 'Cancel')).toBeVisible();
  await page.getByRole('link', { name: 'Admins', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeVisible();
  check.release();
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(csv));
  await button(page, 'Check rows').click();
  await expect(button(page, 'Import 2 rows')).toBeVisible();
  await holdRequests(page, functionUrl);
  await button(page, 'Import 2 rows').click();
  await expect(button(page, 'Cancel')).toBeVisible();
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: 'Stop the import?' });
  await question.getByRole('button', { name: 'Keep importing' }).click();
  await expect(page.getByRole('heading', { name: 'Import Accounts', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await question.getByRole('button', { name: 'Stop import' }).click();
  await expect(page.getByText(/^Page 1 of/)).toBeVisible();
});

test('sends no further batch after a running import is left', async ({ page }) => {
  const { csv } = manyRows(501);
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(csv));
  await button(page, 'Check rows').click();
  await expect(button(page, 'Import 501 rows')).toBeVisible({ timeout: 30_000 });
  const firstBatch = await holdRequests(page, functionUrl);
  const batches = requestsTo(page, functionUrl);
  await button(page, 'Import 501 rows').click();
  await expect(button(page, 'Check rows')).toBeDisabled();
  await page.getByRole('link', { name: 'Admins', exact: true }).click();
  const canceled = page.waitForEvent('requestfailed', (request) => functionUrl.test(request.url()));
  await page.getByRole('button', { name: 'Stop import' }).click();
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeVisible();
  await canceled;
  firstBatch.release();
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  expect(batches).toHaveLength(1);
});

test('keeps the focus in the result when its button is gone', async ({ page }) => {
  const { csv } = manyRows(2);
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(csv));
  await pressOn(page, button(page, 'Check rows'));
  await expect(button(page, 'Import 2 rows')).toBeVisible();
  const { release } = await holdRequests(page, functionUrl);
  await pressOn(page, button(page, 'Import 2 rows'));
  await expectFocusIn(result(page));
  release();
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  await expectFocusIn(result(page));
  await page.keyboard.press('Tab');
  await expectFocusIn(result(page));
});

test('explains why a file cannot be imported', async ({ page }, testInfo) => {
  await page.clock.install();
  await openImport(page);
  const problems: readonly (readonly [content: string | Buffer, problem: string])[] = [
    ['', 'accounts.csv is empty.'],
    ['name,type\n', 'accounts.csv has no rows below its header.'],
    [Buffer.from([1, 0, 2, 3, 0]), 'accounts.csv is not a text file.'],
    ['PK\u0003\u0004', 'accounts.csv cannot be read as an Excel workbook.'],
    [`name\n"A\n${'B\n'.repeat(200_000)}`, 'a quotation mark before it is not closed.'],
    ['name\n"A', 'a quotation mark before it is not closed.'],
    [`name\n${'A\n'.repeat(200_001)}`, 'accounts.csv has more than 200,000 rows.'],
  ];
  for (const [content, problem] of problems) {
    await fileInput(page).setInputFiles(csvFile(content));
    await expect(page.getByText(problem)).toBeVisible();
    await expect(button(page, 'Check rows')).toHaveCount(0);
  }
  // Playwright passes files of this size by their path only.
  const large = testInfo.outputPath('large.csv');
  await fs.writeFile(large, '');
  await fs.truncate(large, 50 * 1024 * 1024 + 1);
  await fileInput(page).setInputFiles(large);
  await expect(page.getByText('large.csv is larger than 50 MB.')).toBeVisible();
  const code = await holdRequests(page, /\/assets\/csv-worker/);
  await fileInput(page).setInputFiles(csvFile(manyRows(1).csv));
  await expect(fileInput(page)).toBeDisabled();
  await page.clock.runFor(20_000);
  await expect(page.getByText('This part of the page could not be loaded.')).toBeVisible();
  code.release();
  await fileInput(page).setInputFiles(csvFile('Label,City,town\nA,B,C\n'));
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    /accounts\.csv has no column with the account name\. Its columns are .*\. Choose one above\./,
  );
  await expect(page.getByLabel('City', { exact: true })).toHaveValue('1');
  await expect(page.getByText('Not used: Label, town')).toBeVisible();
  await expect(button(page, 'Check rows')).toBeDisabled();
  await page.getByLabel('Account Name').selectOption('Label');
  await expect(alert).toContainText('Choose the type of new accounts.');
  await page.getByLabel('Type of new accounts').selectOption('Organization');
  await expect(alert).toHaveCount(0);
  await expect(button(page, 'Check rows')).toBeEnabled();
});

test('shows the message of the service when it rejects a batch', async ({ page, expectMessage }) => {
  expectMessage(failedLoad(403));
  await openImport(page);
  await fileInput(page).setInputFiles(csvFile(manyRows(1).csv));
  await page.route(functionUrl, (route) =>
    route.fulfill({
      status: 403,
      json: { error: 'This action requires an administrator.', code: 'x' },
    }),
  );
  await button(page, 'Check rows').click();
  await expect(page.getByText('Stopped after 0 of 1 row.')).toBeVisible();
  await expect(page.getByText('This action requires an administrator.')).toBeVisible();
});

test.describe('a user without the role', () => {
  test.use({ as: 'plain' });

  test('has no import', async ({ page }) => {
    await page.goto('/admin/accounts/import');
    await expect(page.getByRole('heading', { name: 'Access Denied', level: 1 })).toBeVisible();
    await expect(fileInput(page)).toHaveCount(0);
  });
});
