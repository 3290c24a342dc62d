/** Small habits around one account: copy, previous and next, palette commands, recently viewed, folded search. */
import type { Page } from '@playwright/test';
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor, rows, search } from '../support/accounts-page.ts';
import { account, insertRows, unique } from '../support/api.ts';
import type { Instance } from '../support/instance.ts';
import { openPalette } from '../support/palette.ts';

test.use({ as: 'administrator', permissions: ['clipboard-read', 'clipboard-write'] });

/** Inserts accounts; the last one is the newest. */
async function createAccounts(instance: Instance, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) {
    const [row] = await insertRows(instance, 'accounts', [
      account(name, { address: '1 Pier', city: 'Vail' }),
    ]);
    ids.push(String(row?.['id']));
  }
  return ids;
}

async function openByKeyboard(page: Page, name: string): Promise<void> {
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(panel(page, name)).toBeVisible();
}

test('copies ID, slug, address and link with one press each', async ({ page, instance }) => {
  const name = `${unique('copy')} Patrol`;
  const [id = ''] = await createAccounts(instance, [name]);
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await openByKeyboard(page, name);
  const copies = panel(page, name).getByRole('group', { name: 'Copy' });
  const slug = await panel(page, name).getByRole('definition').first().innerText();
  for (const [label, value] of [
    ['ID', id],
    ['slug', slug],
    ['address', '1 Pier\nVail'],
    ['link', `${instance.url}/admin/accounts?account=${id}`],
  ] as const) {
    await copies.getByRole('button', { name: `Copy ${label}` }).focus();
    await page.keyboard.press('Enter');
    await expect(copies.getByRole('button', { name: `Copy ${label}` })).toContainText('Copied!');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  }
  expect(await violationsOn(page)).toEqual([]);
});

test('moves to the previous and next account of the filtered list', async ({ page, instance }) => {
  const word = unique('step');
  const [third, second, first] = [`${word} C`, `${word} B`, `${word} A`] as const;
  await createAccounts(instance, [third, unique('between'), second, first]);
  await openAccounts(page, `?q=${word}`);
  await openByKeyboard(page, first);
  await expect(panel(page, first).getByText('1 of 3')).toBeVisible();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(panel(page, second).getByText('2 of 3')).toBeVisible();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(panel(page, third).getByText('3 of 3')).toBeVisible();
  await expect(rowFor(page, third)).toHaveAttribute('aria-current', 'true');
  const previous = panel(page, third).getByRole('button', { name: 'Previous account' });
  await previous.focus();
  await page.keyboard.press('Enter');
  await expect(panel(page, second)).toBeVisible();
  await expect(panel(page, second).getByRole('button', { name: 'Previous account' })).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  // The focus is on a control that belongs to the previous account.
  await panel(page, second).getByRole('button', { name: 'Copy ID' }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(panel(page, first)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(rowFor(page, first).getByRole('link')).toBeFocused();
  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Open the previous or next account in the panel',
  );
});

test('edits and suspends the open account from the palette', async ({ page, instance }) => {
  const name = `${unique('command')} Patrol`;
  await createAccounts(instance, [name]);
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await openPalette(page);
  await page.keyboard.type('edit account');
  await expect(page.getByRole('option', { name: 'Edit account' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await openByKeyboard(page, name);
  for (const [text, title] of [
    ['edit account', 'Edit Account'],
    ['suspend account', `Suspend ${name}?`],
  ] as const) {
    await openPalette(page);
    await page.keyboard.type(text);
    await expect(page.getByRole('group', { name }).getByRole('option')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: title })).toHaveCount(0);
  }
  await openPalette(page);
  await page.keyboard.type('archive account');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Account archived')).toContainText(name);
  await expect(panel(page, name).getByRole('button', { name: 'Restore' })).toBeVisible();
});

test('lists recently viewed accounts on top of the palette, until the sign-out', async ({
  page,
  instance,
  openBrowser,
  users,
}) => {
  const names = [`${unique('viewed')} A`, `${unique('viewed')} B`];
  const ids = await createAccounts(instance, names);
  const user = await users.create();
  const own = await openBrowser(user);
  for (const id of ids) {
    await own.goto(`${instance.url}/admin/accounts?account=${id}`);
    await expect(own.getByRole('dialog').getByText('Last updated')).toBeVisible();
  }
  await own.goto(`${instance.url}/admin/platform-admins`);
  await expect(own.getByRole('heading', { level: 1 })).toBeVisible();
  await openPalette(own);
  const options = own.getByRole('group', { name: 'Recently viewed' }).getByRole('option');
  await expect(options).toHaveText([...names].toReversed());
  await own.keyboard.press('Enter');
  await expect(panel(own, names[1] ?? '')).toBeVisible();
  await openPalette(own);
  await own.keyboard.type('sign out');
  await own.keyboard.press('Enter');
  await expect(own).toHaveURL(/\/auth/);
  expect(
    await own.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('recent_'))),
  ).toEqual([]);
  await openAccounts(page);
  await openPalette(page);
  await expect(page.getByRole('option', { name: names[0] ?? '' })).toHaveCount(0);
});

test('finds names without regard to accents and case', async ({ page, instance }) => {
  const word = unique('see');
  const names = [`Zürich ${word}`, `ZÜRICH ${word}`, `Zurich ${word}`];
  await createAccounts(instance, names);
  await openAccounts(page);
  for (const text of [`zurich ${word}`, `Zürich ${word}`, `ZURICH ${word}`]) {
    await search(page).fill(text);
    await expect(rows(page)).toHaveCount(3);
  }
  await openPalette(page);
  await page.keyboard.type(`zurich ${word}`);
  await expect(page.getByRole('group', { name: 'Accounts' }).getByRole('option', { name: word })).toHaveCount(
    3,
  );
});
