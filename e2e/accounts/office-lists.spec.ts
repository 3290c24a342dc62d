/** Lists of accounts as offices have them: encodings, workbooks, foreign types, probable duplicates; and the undo of an import. */
import fs from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, holdRequests, test } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { account, insertRows, listRows, requestOk, unique } from '../support/api.ts';
import { expectFocusIn } from '../support/focus.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';
import { workbook } from '../support/workbook.ts';

test.use({ as: 'administrator' });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const fileInput = (page: Page) => page.getByLabel('CSV or Excel file');
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true });
const resultRows = (page: Page) =>
  page.getByRole('region', { name: 'Result of each row' }).locator('tbody').getByRole('row');

async function openImport(page: Page, content: string | Buffer, name = 'list.csv'): Promise<void> {
  await page.goto('/admin/accounts/import');
  await expect(page.getByRole('heading', { name: 'Import Accounts', level: 1 })).toBeVisible();
  await fileInput(page).setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

/** Chooses an option of a select by its first letters. */
async function choose(page: Page, label: string, letters: string): Promise<void> {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.type(letters);
}

// Other tests of the shared instance read whole lists.
test.afterEach(async ({ instance }) => {
  for (const filter of ['name=like.office-*', 'name=like.Workbook*'])
    await requestOk(instance, `/rest/v1/accounts?${filter}`, {
      method: 'DELETE',
      token: instance.serviceRoleKey(),
    });
});

for (const [screen, path, content] of [
  ['Import Accounts', '/admin/accounts/import', 'Name,Type\nVail,enterprise\n'],
  ['Import Contacts', '/admin/accounts/import-contacts', 'Account,Name\nVail,Ann\n'],
  ['Invite from a List', '/admin/platform-admins/invite-list', 'Email,Name\na@example.org,Ann\n'],
] as const)
  test(`${screen} reads a file again that was corrected in place`, async ({ page }, testInfo) => {
    const file = testInfo.outputPath('list.csv');
    await page.goto(path);
    await expect(page.getByRole('heading', { name: screen, level: 1 })).toBeVisible();
    for (const [written, expected] of [
      ['', 'list.csv is empty.'],
      [content, `list.csv: 1 row`],
    ] as const) {
      await fs.writeFile(file, written);
      const chooser = page.waitForEvent('filechooser');
      await fileInput(page).click();
      await (await chooser).setFiles(file);
      await expect(page.getByText(expected)).toBeVisible();
    }
    await expect(page.getByText('list.csv is empty.')).toHaveCount(0);
  });

test('imports a Windows-1252 list with foreign types by keyboard, and undoes it', async ({
  page,
  instance,
}) => {
  const name = unique('office-list');
  const csv =
    `sep=;\r\nBezeichnung;Art;Ort;Mitglieder;\r\n${name} Gr\u00fcn;Verein;Z\u00fcrich;12;\r\n` +
    `${name} Hafen;Firma;Kiel\r\n;Verein;Bern;3;\r\n`;
  await openImport(page, Buffer.from(csv, 'latin1'));
  await expect(page.getByText('Are these words right?')).toBeVisible();
  await expect(page.getByText('Grün, Zürich')).toBeVisible();
  await expect(page.getByLabel('Encoding')).toHaveValue('windows-1252');
  expect(await violationsOn(page)).toEqual([]);
  await choose(page, 'Encoding', 'Cyr');
  await expect(page.getByText('Grьn, Zьrich')).toBeVisible();
  await expect(page.getByLabel('Encoding')).toBeFocused();
  // Letters would continue those that were typed before.
  await page.keyboard.press('ArrowUp');
  await expect(page.getByLabel('Encoding')).toHaveValue('windows-1250');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Grün, Zürich')).toBeVisible();
  await pressOn(page, button(page, 'Words are right'));
  await expect(page.getByLabel('Account Name')).toHaveValue('0');
  await expect(page.getByText('Not used: Mitglieder')).toBeVisible();
  await expect(page.getByText('Choose the type of "Verein", or a type for all other rows.')).toBeVisible();
  await choose(page, 'Type of "Verein"', 'Org');
  await choose(page, 'Type of "Firma"', 'Ent');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, button(page, 'Check rows'));
  await expect(result(page).getByText('2 to create, 0 to change, 0 unchanged, 1 rejected')).toBeVisible();
  // The problem is first.
  await expect(resultRows(page).first()).toHaveText('5RejectedAccount name is required');
  await pressOn(page, button(page, 'Import 2 rows'));
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  const stored = await listRows(instance, 'accounts', `name=like.${name}*&order=name`);
  expect(stored).toMatchObject([
    { name: `${name} Grün`, account_type: 'organization', city: 'Zürich' },
    { name: `${name} Hafen`, account_type: 'enterprise', city: 'Kiel' },
  ]);
  await expect(page.getByRole('link', { name: 'Show accounts, last changed first' })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  await pressOn(page, result(page).getByRole('button', { name: 'Undo import' }));
  const question = page.getByRole('alertdialog', { name: 'Delete 2 accounts?' });
  await pressOn(page, question.getByRole('button', { name: 'Delete 2 accounts' }));
  await expect(result(page).getByText('The import is undone.')).toBeVisible();
  await expect(result(page).getByText('2 deleted')).toBeVisible();
  await expectFocusIn(result(page));
  expect(await listRows(instance, 'accounts', `name=like.${name}*`)).toEqual([]);
});

test('names rows that are left out, and leads to the import of contacts', async ({ page }) => {
  const name = unique('office-contacts');
  await openImport(
    page,
    `Kundenname;Art;Telefon;Ansprechpartner\n${name} Hafen;Verein;040 1;Ann\n${name} Probe;Test;040 2;Bo\n`,
  );
  await expect(page.getByText('Not used: Telefon, Ansprechpartner')).toBeVisible();
  await page.getByLabel('Type of "Verein"').selectOption('Organization');
  await page.getByLabel('Type of "Test"').selectOption('Do not import these rows');
  await pressOn(page, button(page, 'Check rows'));
  await expect(
    result(page).getByText('1 to create, 0 to change, 0 unchanged, 0 rejected, 1 not imported'),
  ).toBeVisible();
  await expect(resultRows(page).filter({ hasText: `${name} Probe` })).toContainText(
    'Not imported: its type is "Test"',
  );
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, page.getByRole('link', { name: 'Import contacts' }));
  await expect(page.getByRole('heading', { name: 'Import Contacts', level: 1 })).toBeFocused();
});

test('asks about probable duplicates and accounts of the same name before it imports them', async ({
  page,
  instance,
}) => {
  const id = unique('office-same');
  await insertRows(instance, 'accounts', [
    account(`${id} Mount Hood Search and Rescue`, { city: 'Portland' }),
    account(`${id} North Point Station`, { address: '12 Hill Road' }),
  ]);
  const csv =
    `name,type,state\n${id} Regional Association of Lakeside Lifeguards,organization,OR\n` +
    `${id} Mt. Hood SAR,organization,OR\n${id} North Point Station,enterprise,PEI\n`;
  await openImport(page, csv);
  await pressOn(page, button(page, 'Check rows'));
  await expect(
    result(page).getByText(
      '1 to create, 0 to change, 0 unchanged, 0 rejected, 1 possible duplicates, 1 with',
    ),
  ).toBeVisible();
  await expect(resultRows(page).nth(0)).toContainText(
    `Looks like the account "${id} Mount Hood Search and Rescue" (Portland)`,
  );
  await expect(resultRows(page).nth(1)).toContainText('An account has this name. Type:');
  await expect(button(page, 'Import 1 row')).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await tabTo(page, page.getByLabel(`Import ${id} North Point Station`));
  await page.keyboard.press('Space');
  await pressOn(page, button(page, 'Import 2 rows'));
  await expect(result(page).getByText('1 created, 1 changed')).toBeVisible();
  const names = await listRows(instance, 'accounts', `name=like.${id}*&select=name,state&order=name`);
  expect(names).toEqual([
    { name: `${id} Mount Hood Search and Rescue`, state: null },
    { name: `${id} North Point Station`, state: 'PEI' },
    { name: `${id} Regional Association of Lakeside Lifeguards`, state: 'OR' },
  ]);
});

test('keeps accounts that were changed after the import', async ({ page, instance }) => {
  const name = unique('office-kept');
  await openImport(page, `name,type\n${name} One,enterprise\n${name} Two,enterprise\n`);
  await pressOn(page, button(page, 'Check rows'));
  await pressOn(page, button(page, 'Import 2 rows'));
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  await requestOk(instance, `/rest/v1/accounts?name=eq.${encodeURIComponent(`${name} Two`)}`, {
    method: 'PATCH',
    body: { city: 'Vail' },
    token: instance.serviceRoleKey(),
  });
  await result(page).getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 accounts' }).click();
  await expect(result(page).getByText('1 deleted, 1 kept')).toBeVisible();
  await expect(resultRows(page).nth(1)).toContainText('Kept: it was changed after the import');
  expect(await listRows(instance, 'accounts', `name=like.${name}*&select=name`)).toEqual([
    { name: `${name} Two` },
  ]);
});

test('undoes an import after its screen was left', async ({ page, instance }) => {
  const name = unique('office-left');
  await openImport(page, `name,type\n${name} One,enterprise\n${name} Two,enterprise\n`);
  await pressOn(page, button(page, 'Check rows'));
  await pressOn(page, button(page, 'Import 2 rows'));
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  await pressOn(page, page.getByRole('link', { name: 'Show accounts, last changed first' }));
  await expect(page.getByRole('link', { name: `${name} One` })).toBeVisible();
  await page.goto('/admin/accounts/import');
  const recent = page.getByRole('region', { name: 'Your recent imports' });
  await expect(recent.getByText('2 accounts created from list.csv').first()).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, recent.getByRole('button', { name: 'Undo import' }).first());
  const question = page.getByRole('alertdialog', { name: 'Delete 2 accounts?' });
  await pressOn(page, question.getByRole('button', { name: 'Delete 2 accounts' }));
  await expect(page.getByText('2 accounts deleted')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await listRows(instance, 'accounts', `name=like.${name}*`)).toEqual([]);
});

test('offers no undo while an import sends, and keeps the focus on an undo that fails', async ({
  page,
  expectMessage,
}) => {
  expectMessage(/net::ERR/);
  const name = unique('office-focus');
  const rows = Array.from({ length: 501 }, (_, index) => `${name} ${index},enterprise\n`);
  await openImport(page, `name,type\n${rows.join('')}`);
  await pressOn(page, button(page, 'Check rows'));
  await expect(button(page, 'Import 501 rows')).toBeVisible({ timeout: 30_000 });
  // The first request is stored, so the list of recent imports has the import.
  const second = page.waitForRequest(
    (request) =>
      request.url().includes('import-accounts') && (request.postData() ?? '').includes(`${name} 500`),
  );
  await page.route(/v1\/import-accounts/, async (route) => {
    if ((route.request().postData() ?? '').includes(`${name} 500"`)) await route.abort('connectionreset');
    else await route.continue();
  });
  await pressOn(page, button(page, 'Import 501 rows'));
  await second;
  await expect(page.getByText('The connection was lost after 500 of 501 rows.')).toBeVisible();
  const recent = page.getByRole('region', { name: 'Your recent imports' });
  const undo = page.getByRole('button', { name: 'Undo import' });
  await expect(recent.getByText('500 accounts created')).toBeVisible();
  await page.unroute(/v1\/import-accounts/);
  const { release } = await holdRequests(page, /v1\/import-accounts/);
  await pressOn(page, button(page, 'Continue import'));
  await expect(button(page, 'Cancel')).toBeVisible();
  await expect(recent.getByText('500 accounts created')).toBeVisible();
  await expect(undo).toHaveCount(0);
  release();
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  await page.route(/v1\/undo-import/, (route) => route.abort('connectionreset'));
  for (const region of [result(page), recent]) {
    const again = region.getByRole('button', { name: 'Undo import' }).first();
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('undo-import'));
    await pressOn(page, again);
    await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete 501 accounts' }));
    await failed;
    await expect(page.getByText('Error undoing the import')).toBeVisible();
    await expect(again).toBeFocused();
  }
  await page.unroute(/v1\/undo-import/);
  await pressOn(page, result(page).getByRole('button', { name: 'Undo import' }));
  await pressOn(page, page.getByRole('alertdialog').getByRole('button', { name: 'Delete 501 accounts' }));
  await expect(result(page).getByText('501 deleted')).toBeVisible();
});

test('reads a workbook that is dropped, and another sheet of it', async ({ page, instance }) => {
  await page.goto('/admin/accounts/import');
  await expect(fileInput(page)).toBeEnabled();
  const transfer = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], 'stations.xlsx'));
      return data;
    },
    [...workbook],
  );
  const card = page.getByRole('region', { name: 'File', exact: true });
  await card.dispatchEvent('dragover', { dataTransfer: transfer });
  await card.dispatchEvent('drop', { dataTransfer: transfer });
  await expect(page.getByText('stations.xlsx: 1 row')).toBeVisible();
  await expect(page.getByLabel('Separator')).toHaveCount(0);
  await page.getByLabel('Sheet').selectOption('Old');
  await expect(page.getByLabel('Account Name')).toHaveValue('0');
  await expect(page.getByText('First row: Workbook Old')).toBeVisible();
  await page.getByLabel('Sheet').selectOption('Stations');
  await expect(page.getByText('First row: Workbook Lifeguards')).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.getByLabel('Type of "Verein"').selectOption('Organization');
  await button(page, 'Check rows').click();
  await button(page, 'Import 1 row').click();
  await expect(result(page).getByText('The import is complete.')).toBeVisible();
  expect(await listRows(instance, 'accounts', 'name=eq.Workbook%20Lifeguards')).toMatchObject([
    { account_type: 'organization', zip_code: '8001' },
  ]);
  await page.getByRole('link', { name: 'Show accounts, last changed first' }).click();
  await expect(page.getByRole('link', { name: 'Workbook Lifeguards' })).toBeVisible();
});

test('a list without a header has its columns chosen, and a template has one', async ({ page }) => {
  await openImport(page, '"Alpine, CA",39.16,-120.23\n"Boreal, CA",39.33,-120.35\n');
  await expect(page.getByText('list.csv: 2 rows')).toBeVisible();
  const hasHeader = page.getByLabel('The first row has the names of the columns');
  await expect(hasHeader).not.toBeChecked();
  await page.getByLabel('Account Name').selectOption('Column 1');
  await expect(page.getByText('First row: Alpine, CA')).toBeVisible();
  await hasHeader.check();
  await expect(page.getByText('list.csv: 1 row')).toBeVisible();
  await expect(hasHeader).toBeFocused();
  const download = page.waitForEvent('download');
  await button(page, 'Download template').click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('accounts-template.csv');
  expect(await fs.readFile(await saved.path(), 'utf8')).toBe(
    '\uFEFFName,Type,Address,City,State,Zip code\r\n',
  );
});

test('reads a list that was chosen without a connection when there is one', async ({
  page,
  context,
  expectMessage,
}) => {
  expectMessage(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/admin/accounts/import');
  await expect(page.getByRole('heading', { name: 'Import Accounts', level: 1 })).toBeVisible();
  await context.setOffline(true);
  await fileInput(page).setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Type\nOffice,Verein\n'),
  });
  const problem = page.getByText('This part of the page could not be loaded.');
  await expect(problem).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('list.csv: 1 row')).toBeVisible();
  await expect(problem).toHaveCount(0);
});
