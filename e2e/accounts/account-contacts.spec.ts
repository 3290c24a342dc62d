/** Contacts of an account: panel, search, files, and the phone number of an administrator. */
import fs from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { openPalette } from '../support/palette.ts';
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor, rows, search } from '../support/accounts-page.ts';
import { account, insertRows, listRows, unique, type Row } from '../support/api.ts';
import { pressEnter } from '../support/forms.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import type { Instance } from '../support/instance.ts';

test.use({ as: 'administrator' });

async function createAccount(
  instance: Instance,
  name: string,
  contacts: readonly object[] = [],
): Promise<string> {
  const [row] = await insertRows(instance, 'accounts', [account(name)]);
  const id = String(row?.['id']);
  // All rows of a request have the same keys.
  const keys = new Set(contacts.flatMap((contact) => Object.keys(contact)));
  const empty = Object.fromEntries([...keys].map((key) => [key, null]));
  const inserted = contacts.map((contact, index) => ({
    account_id: id,
    position: index + 1,
    ...empty,
    ...contact,
  }));
  if (inserted.length > 0) await insertRows(instance, 'account_contacts', inserted);
  return id;
}
const stored = (instance: Instance, id: string): Promise<Row[]> =>
  listRows(instance, 'account_contacts', `account_id=eq.${id}&order=position`);
const names = async (instance: Instance, id: string): Promise<unknown[]> =>
  (await stored(instance, id)).map((row) => row['name']);

const tab = (opened: Locator): Locator => opened.getByRole('tab', { name: /^Contacts/ });
const items = (opened: Locator): Locator =>
  opened.getByRole('list', { name: 'Contacts of the account' }).getByRole('listitem');
const press = async (page: Page, button: Locator): Promise<void> => {
  await button.focus();
  // A user reaches the button by key. Without one, the double-click guard ignores an Enter soon after another.
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
};
const undo = (page: Page, title: string): Locator =>
  toastWith(page, title).getByRole('button', { name: 'Undo' });

/** Opens the panel and its tab by keyboard. */
async function openContacts(page: Page, name: string): Promise<Locator> {
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const opened = panel(page, name);
  await opened.getByRole('tab', { name: /^Members/ }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tab(opened)).toBeFocused();
  await expect(opened.getByRole('button', { name: 'Add contact' })).toBeVisible();
  return opened;
}

test('adds, edits and removes a contact by keyboard, and undoes each', async ({ page, instance }) => {
  const name = `${unique('contacts')} Patrol`;
  const id = await createAccount(instance, name);
  const opened = await openContacts(page, name);
  await expect(opened.getByText('This account has no contacts.')).toBeVisible();
  await expect(tab(opened)).toHaveText('Contacts 0');

  await press(page, opened.getByRole('button', { name: 'Add contact' }));
  const form = page.getByRole('dialog', { name: 'Add Contact' });
  await expect(form).toContainText(
    'The members of the account can read it with the Data API, not in this console.',
  );
  await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  for (const value of ['Anna Keller', 'Duty officer', '+41 (0)44 668 18 00', 'Anna@Example.org']) {
    await page.keyboard.type(value);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.type('Channel 4');
  await form.getByRole('textbox', { name: 'Email' }).press('Enter');
  await expect(toastWith(page, 'Contact added')).toContainText(
    'Anna Keller is now a contact of this account.',
  );
  await expect(opened.getByRole('button', { name: 'Add contact' })).toBeFocused();
  const item = items(opened);
  await expect(item).toHaveCount(1);
  await expect(item).toContainText('Duty officer');
  await expect(item.getByRole('link', { name: '+41 44 668 18 00' })).toHaveAttribute(
    'href',
    'tel:+41446681800',
  );
  await expect(item.getByRole('link', { name: 'anna@example.org' })).toHaveAttribute('href', /^mailto:/);
  await expect(tab(opened)).toHaveText('Contacts 1');
  expect(await violationsOn(page)).toEqual([]);
  const [before] = await stored(instance, id);

  await press(page, item.getByRole('button', { name: 'Edit: Anna Keller' }));
  const edited = page.getByRole('dialog', { name: 'Edit Contact' });
  await expect(edited.getByRole('textbox', { name: 'Phone' })).toHaveValue('+41 44 668 18 00');
  await edited.getByRole('textbox', { name: 'Role' }).fill('Deputy');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Contact saved')).toBeVisible();
  await expect(item.getByRole('button', { name: 'Edit: Anna Keller' })).toBeFocused();
  expect(await stored(instance, id)).toEqual([{ ...before, role: 'Deputy' }]);
  await press(page, undo(page, 'Contact saved'));
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  expect(await stored(instance, id)).toEqual([before]);

  await press(page, item.getByRole('button', { name: 'Remove: Anna Keller' }));
  await expect(toastWith(page, 'Contact removed')).toBeVisible();
  await expect(item).toHaveCount(0);
  await expect(opened.getByRole('group', { name: 'Contacts' })).toBeFocused();
  expect(await stored(instance, id)).toEqual([]);
  await press(page, undo(page, 'Contact removed'));
  await expect(item).toContainText('Anna Keller');
  expect(await stored(instance, id)).toEqual([{ ...before, id: expect.any(String) }]);

  await opened.getByRole('tab', { name: /^Activity/ }).click();
  await expect(opened.getByText('the contact Anna Keller').first()).toBeVisible();
});

test('moves contacts by keyboard, and keeps the focus on the contact', async ({ page, instance }) => {
  const name = `${unique('contacts')} Patrol`;
  const id = await createAccount(instance, name, [{ name: 'Anna' }, { name: 'Ben' }, { name: 'Cem' }]);
  const opened = await openContacts(page, name);
  await expect(items(opened)).toHaveCount(3);
  await expect(opened.getByRole('button', { name: 'Move up: Anna' })).toBeDisabled();
  const up = opened.getByRole('button', { name: 'Move up: Cem' });
  await press(page, up);
  await expect(opened.getByText('Cem is now number 2 of 3.')).toBeAttached();
  await expect(up).toBeFocused();
  expect(await names(instance, id)).toEqual(['Anna', 'Cem', 'Ben']);
  await press(page, up);
  await expect(opened.getByText('Cem is now number 1 of 3.')).toBeAttached();
  // The button of the first contact is disabled.
  await expect(items(opened).first()).toContainText('Cem');
  await expect(items(opened).first().locator(':focus')).toHaveCount(1);
  await press(page, opened.getByRole('button', { name: 'Move down: Cem' }));
  await expect(opened.getByText('Cem is now number 2 of 3.')).toBeAttached();
  expect(await names(instance, id)).toEqual(['Anna', 'Cem', 'Ben']);
});

test('shows errors at their field, and keeps changed input', async ({ page, instance, expectMessage }) => {
  expectMessage(/status of 4(00|09)/);
  const name = `${unique('contacts')} Patrol`;
  const id = await createAccount(instance, name, [{ name: 'Anna', phone: '+41446681800' }]);
  const opened = await openContacts(page, name);
  await opened.getByRole('button', { name: 'Add contact' }).click();
  const form = page.getByRole('dialog', { name: 'Add Contact' });
  const field = (label: string): Locator => form.getByRole('textbox', { name: label });
  await field('Name').press('Enter');
  await expect(form.getByText('Name is required')).toBeVisible();
  await field('Name').fill('Ben');
  await field('Email').fill('ben');
  await field('Email').press('Enter');
  await expect(form.getByText('Invalid email address')).toBeVisible();
  await field('Email').fill('');
  for (const [phone, message] of [
    ['044 668 18 00', 'Enter the phone number with its country code, for example +41.'],
    ['+41 44 668', 'This phone number does not exist. Check its digits.'],
    ['later', 'This is not a phone number.'],
  ] as const) {
    await field('Phone').fill(phone);
    await field('Phone').press('Enter');
    await expect(form.getByText(message)).toBeVisible();
    await expect(field('Phone')).toBeFocused();
  }
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('alertdialog', { name: 'Discard the changes?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await field('Phone').fill('');
  // Another administrator adds a contact meanwhile.
  await insertRows(instance, 'account_contacts', [{ account_id: id, position: 2, name: 'Meanwhile' }]);
  await field('Name').press('Enter');
  await expect(toastWith(page, 'Error changing contacts')).toContainText('were changed in the meantime');
  await expect(field('Name')).toHaveValue('Ben');
  expect(await names(instance, id)).toEqual(['Anna', 'Meanwhile']);
  await expect(async () => {
    await field('Name').press('Enter');
    await expect(form).toBeHidden({ timeout: 2000 });
  }).toPass();
  expect(await names(instance, id)).toEqual(['Anna', 'Meanwhile', 'Ben']);
});

test('has no accessibility violations with 20 contacts at 320 px, and adds no further one', async ({
  page,
  instance,
}) => {
  const name = `${unique('contacts')} Patrol`;
  await createAccount(
    instance,
    name,
    Array.from({ length: 20 }, (_, index) => ({
      name: `${'W'.repeat(90)} ${index}`,
      note: 'n'.repeat(500),
      email: `${'e'.repeat(60)}@${'example'.repeat(8)}.org`,
    })),
  );
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').click();
  const opened = panel(page, name);
  await tab(opened).click();
  await expect(items(opened)).toHaveCount(20);
  await expect(opened.getByText('An account has at most 20 contacts.')).toBeVisible();
  await expect(opened.getByRole('button', { name: 'Add contact' })).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await horizontalOverflow(page)).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
});

test('the search of the list and of the palette finds contacts', async ({ page, instance }) => {
  const suffix = unique('found');
  const name = `${suffix} Patrol`;
  await createAccount(instance, name, [
    { name: `Zoë ${suffix}contact`, phone: '+41446681807', email: `${suffix}@contact.example` },
  ]);
  await openAccounts(page);
  for (const text of [`${suffix}contact zoe`, `${suffix}@CONTACT`, '+41 (0)44 668 18 07', '044/668 18 07']) {
    await search(page).fill(text);
    await expect(rows(page)).toHaveCount(1);
    await expect(rowFor(page, name)).toBeVisible();
  }
  await search(page).fill('044 668 18 08');
  await expect(page.getByText('No accounts match your filters')).toBeVisible();
  // Words of the name and of a contact together.
  await search(page).fill(`patrol ${suffix} zoe`);
  await expect(page.getByText('No accounts match your filters')).toBeVisible();
  await page.getByRole('button', { name: 'Search cities and contacts too' }).click();
  await expect(rowFor(page, name)).toBeVisible();
  // The emergency sheet takes the filter.
  await page.getByRole('button', { name: /^View/ }).click();
  await page.getByRole('link', { name: 'Emergency sheet' }).focus();
  await pressEnter(page);
  await expect(page.getByRole('heading', { name: 'Accounts (1)' })).toBeVisible();
  await expect(page.getByText(`patrol ${suffix} zoe, also in cities and contacts`)).toBeVisible();
  for (const text of [`zoe ${suffix}contact`, `patrol zoe ${suffix}`, '044 668 18 07']) {
    await openPalette(page);
    await page.getByRole('combobox', { name: 'Search or run a command' }).fill(text);
    await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible();
    await page.keyboard.press('Escape');
  }
});

test('a new contact is found without a reload, and a held change disables the others', async ({
  page,
  instance,
}) => {
  const name = `${unique('contacts')} Patrol`;
  const id = await createAccount(instance, name, [{ name: 'Anna' }, { name: 'Ben' }]);
  const opened = await openContacts(page, name);
  const { release } = await holdRequests(page, /set-account-contacts/);
  await opened.getByRole('button', { name: 'Remove: Ben' }).click();
  for (const button of await items(opened).getByRole('button').all()) await expect(button).toBeDisabled();
  release();
  await expect(items(opened)).toHaveCount(1);
  const fresh = unique('fresh');
  await opened.getByRole('button', { name: 'Edit: Anna' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Contact' });
  await form.getByRole('textbox', { name: 'Name' }).fill(fresh);
  await form.getByRole('textbox', { name: 'Name' }).press('Enter');
  await expect(items(opened)).toContainText(fresh);
  await search(page).fill(fresh);
  await expect(rowFor(page, name)).toBeVisible();
  expect(await names(instance, id)).toEqual([fresh]);
});

test('exports contacts, and imports the file unchanged and with a change', async ({ page, instance }) => {
  const name = unique('file');
  const id = await createAccount(instance, name, [
    { name: 'Anna', phone: '+41446681800' },
    { name: '=Ben', phone: null },
  ]);
  await openAccounts(page, `?q=${name}`);
  await page.getByRole('button', { name: /^View/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export contacts' }).focus();
  await pressEnter(page);
  const file = await download;
  expect(file.suggestedFilename()).toBe('contacts.csv');
  const text = await fs.readFile(await file.path(), 'utf8');
  expect(text.trim().split('\r\n')).toHaveLength(3);

  await page.getByRole('button', { name: /^View/ }).click();
  await page.getByRole('link', { name: 'Import contacts' }).focus();
  await pressEnter(page);
  await expect(page.getByRole('heading', { name: 'Import Contacts', level: 1 })).toBeFocused();
  const check = async (content: string): Promise<Locator> => {
    const buffer = Buffer.from(content);
    await page
      .getByLabel('CSV or Excel file')
      .setInputFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Check rows' }).press('Enter');
    return page.getByRole('region', { name: 'Result', exact: true });
  };
  const before = await stored(instance, id);
  await expect(await check(text)).toContainText('0 to add, 0 to change, 2 unchanged, 0 rejected');
  const result = await check(
    `${text.replace(',Anna,,', ',Anna,Duty officer,')},${name},,Cem,,+41 44 668 18 0,,\r\n`,
  );
  await expect(result).toContainText('0 to add, 1 to change, 1 unchanged, 1 rejected');
  await expect(result).toContainText('This phone number does not exist. Check its digits');
  expect(await violationsOn(page)).toEqual([]);
  expect(await stored(instance, id)).toEqual(before);
  await page.getByRole('button', { name: 'Import 1 row' }).press('Enter');
  await expect(result).toContainText('The import is complete.');
  expect(await stored(instance, id)).toMatchObject([
    { name: 'Anna', role: 'Duty officer' },
    { name: '=Ben', phone: null },
  ]);
  await expect(page.getByRole('link', { name: 'Show accounts' })).toBeVisible();
});

test('imports an office list of contacts in Windows-1252 by keyboard', async ({ page, instance }) => {
  const name = unique('office-contacts');
  const id = await createAccount(instance, name);
  const csv =
    `sep=;\r\nVerein;Kontakt;Funktion;Telefon;Mitglied seit;Bemerkung;\r\n` +
    `${name};J\u00f6rg M\u00fcller;Pr\u00e4sident;+41 44 668 18 00;2019;"Kanal 4\r\nabends";\r\n${name};Ren\u00e9\r\n`;
  await page.goto('/admin/accounts/import-contacts');
  await page
    .getByLabel('CSV or Excel file')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') });
  await expect(page.getByText('Jörg, Müller, Präsident')).toBeVisible();
  await press(page, page.getByRole('button', { name: 'Words are right' }));
  await expect(page.getByText('Not used: Mitglied seit')).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await press(page, page.getByRole('button', { name: 'Check rows' }));
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(result).toContainText('2 to add, 0 to change, 0 unchanged, 0 rejected');
  await press(page, page.getByRole('button', { name: 'Import 2 rows' }));
  await expect(result).toContainText('The import is complete.');
  expect(await stored(instance, id)).toMatchObject([
    { name: 'Jörg Müller', role: 'Präsident', phone: '+41446681800', note: 'Kanal 4, abends' },
    { name: 'René', role: null, phone: null, note: null },
  ]);
});

test('an administrator enters a phone number, which is on the sheet', async ({
  page,
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(/status of 400/);
  const user = await users.create({ isAdministrator: true, fullName: 'Phone Person' });
  const other = await openBrowser(user);
  await other.goto('/admin/me/security');
  await expect(other.getByText('No phone number')).toBeVisible();
  await other.getByRole('button', { name: 'Change phone number' }).press('Enter');
  const form = other.getByRole('dialog', { name: 'Change your phone number' });
  await form.getByRole('textbox', { name: 'Phone' }).fill('044 668 18 00');
  await form.getByRole('textbox', { name: 'Phone' }).press('Enter');
  await expect(
    form.getByText('Enter the phone number with its country code, for example +41.'),
  ).toBeVisible();
  await form.getByRole('textbox', { name: 'Phone' }).fill('+41 44 668 18 01');
  await form.getByRole('textbox', { name: 'Phone' }).press('Enter');
  await expect(toastWith(other, 'Phone number changed')).toContainText('+41 44 668 18 01');
  await expect(other.getByRole('list', { name: 'Profile' })).toContainText('+41 44 668 18 01');
  expect(await violationsOn(other)).toEqual([]);
  await page.goto('/admin/handover/sheet');
  const row = page.getByRole('row').filter({ hasText: user.email });
  await expect(row.getByRole('link')).toHaveAttribute('href', 'tel:+41446681801');
});
