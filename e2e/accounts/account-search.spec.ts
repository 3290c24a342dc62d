/** Searches of accounts as people type: words in any order, spellings, cities on request, and the ranks of the palette. */
import type { Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, rowFor, rows, search } from '../support/accounts-page.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { expect, test } from '../support/console-fixtures.ts';
import { openPalette } from '../support/palette.ts';

test.use({ as: 'administrator' });

const offer = (page: Page) => page.getByRole('button', { name: 'Search cities and contacts too' });
const note = (page: Page) => page.getByText('The search includes cities and contacts.');

test('finds words in any order, umlauts as one or two letters, and pasted text', async ({
  page,
  instance,
}) => {
  const word = unique('wo');
  await insertRows(instance, 'accounts', [
    account(`${word} Müller Lake Rescue`),
    account(`${word} O’Neill Patrol`),
  ]);
  await openAccounts(page);
  for (const text of [
    `rescue ${word} lake`,
    `resc lak ${word.toUpperCase()}`,
    `muller ${word}`,
    `${word} muell`,
    `MÜLLER ${word}`,
    `${word}\u200b res\u00adcue`,
  ]) {
    await search(page).fill(text);
    await expect(rows(page)).toHaveCount(1);
    await expect(rowFor(page, `${word} Müller Lake Rescue`)).toBeVisible();
  }
  await search(page).fill(`o'neill ${word}`);
  await expect(rowFor(page, `${word} O’Neill Patrol`)).toBeVisible();
  await search(page).fill(`${word} muller patrol`);
  await expect(page.getByText('No accounts match your filters')).toBeVisible();
});

test(
  'offers to search cities and contacts if a search has few results',
  { tag: '@C079' },
  async ({ page, instance }) => {
    const city = unique('Genève');
    const near = unique('Near');
    await insertRows(instance, 'accounts', [
      ...['North', 'South', 'West', 'Quay'].map((side) => account(`${near} ${side}`, { city })),
      account(`${city} Rescue`, { city: 'Vail', state: 'CO' }),
    ]);
    await openAccounts(page);
    await expect(offer(page)).toHaveCount(0);
    // More than three results.
    await search(page).fill(near);
    await expect(rows(page)).toHaveCount(4);
    await expect(offer(page)).toHaveCount(0);
    await search(page).fill(city.replace('è', 'e'));
    await expect(rows(page)).toHaveCount(1);
    await expect(offer(page)).toBeVisible();
    expect(await violationsOn(page)).toEqual([]);
    // By keyboard. The button disappears, so the list has the focus.
    await offer(page).focus();
    await page.keyboard.press('Enter');
    await expect(rows(page)).toHaveCount(5);
    await expect(page).toHaveURL(/[?&]wide=true/);
    await expect(note(page)).toBeVisible();
    await expect(offer(page)).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Accounts' })).toBeFocused();
    expect(await violationsOn(page)).toEqual([]);
    await page.reload();
    await expect(rows(page)).toHaveCount(5);
    // Words of name and city together.
    await search(page).fill(`quay ${city} ${near}`);
    await expect(rows(page)).toHaveCount(1);
    await search(page).fill(city);
    await expect(rows(page)).toHaveCount(5);
    await page.getByRole('button', { name: 'Search without cities' }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.goBack();
    await expect(rows(page)).toHaveCount(5);
    // An empty search has nothing to widen.
    await search(page).fill('');
    await expect(note(page)).toHaveCount(0);
    await expect(page).not.toHaveURL(/wide/);
    await search(page).fill(`${city} nothing`);
    await expect(page.getByText('No accounts match your filters')).toBeVisible();
    await offer(page).click();
    await expect(note(page)).toBeVisible();
    await expect(page.getByText('No accounts match your filters')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(note(page)).toHaveCount(0);
  },
);

test('ranks accounts in the palette, and shows all of them in the list', async ({ page, instance }) => {
  const start = unique('den');
  const names = [`Vail Ax${start}`, `Vail ${start} Patrol`, `${start} Patrol`];
  await insertRows(instance, 'accounts', [
    ...names.map((name) => account(name)),
    account('Vail By City', { city: start }),
  ]);
  await page.goto('/admin/logs');
  await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
  const group = page.getByRole('group', { name: 'Accounts' }).getByRole('option');
  const expected = [names[2], names[1], 'Vail By City', names[0], 'Show all'];
  await openPalette(page);
  await page.keyboard.insertText(start.toUpperCase());
  await expect
    .poll(() =>
      group.evaluateAll((options) => options.map((each) => each.querySelector('.truncate')?.textContent)),
    )
    .toEqual(expected);
  expect(await violationsOn(page)).toEqual([]);
  for (let n = 1; n < expected.length; n += 1) await page.keyboard.press('ArrowDown');
  await expect(group.last()).toHaveAttribute('data-highlighted', '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(search(page)).toHaveValue(start.toUpperCase());
  await expect(rows(page)).toHaveCount(4);
  await expect(note(page)).toBeVisible();
  // The search is a recent one, and opens in the list that is already shown.
  await openPalette(page);
  await page.getByRole('option', { name: start.toUpperCase() }).click();
  await group.last().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(rows(page)).toHaveCount(4);
});
