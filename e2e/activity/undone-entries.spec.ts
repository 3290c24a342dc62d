/** Undone entries of the activity and their undos: who, when, and links between both, by keyboard. */
import type { Page } from '@playwright/test';
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { panel } from '../support/accounts-page.ts';
import { account, insertRows, requestOk, unique } from '../support/api.ts';
import { pressEnter } from '../support/forms.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import type { Instance } from '../support/fixtures.ts';
import { pressOn } from '../support/tab-to.ts';
import type { TestUser } from '../support/users.ts';

test.use({ as: 'administrator' });

const entries = (page: Page) => page.getByRole('list', { name: 'Entries' }).locator(':scope > li');
const undoButtons = (page: Page) => page.getByRole('button', { name: /^Undo/ });

const createAccount = async (instance: Instance, name: string): Promise<string> => {
  const [row] = await insertRows(instance, 'accounts', [account(name, { city: 'Vail' })]);
  return String(row?.['id']);
};

const edit = (instance: Instance, user: TestUser, id: string, body: object): Promise<unknown> =>
  requestOk(instance, `/rest/v1/accounts?id=eq.${id}`, {
    method: 'PATCH',
    body,
    token: user.session.access_token,
  });

test('names the undo and the undone entry, each with a link to the other', async ({
  page,
  instance,
  users,
}) => {
  const user = await users.administrator();
  const name = `${unique('mark')} Patrol`;
  const id = await createAccount(instance, name);
  await edit(instance, user, id, { city: 'Aspen' });
  await page.goto(`/admin/activity?record=${id}`);
  await pressOn(page, page.getByRole('button', { name: `Undo: changed ${name}` }));
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  const undone = entries(page).first();
  await expect(undone).toBeFocused();
  await expect(undone).toContainText(`Undone by ${user.fullName}, `);
  await expect(undoButtons(page)).toHaveCount(0);
  await pressOn(page, page.getByRole('button', { name: '1 new entry' }));
  const undo = entries(page).first();
  await expect(undo).toContainText(`${user.fullName} undid the change of ${name}`);
  await expect(entries(page).nth(1)).toContainText(`Undone by ${user.fullName}, `);
  await expect(entries(page).nth(1).getByRole('button', { name: /^Undo/ })).toHaveCount(0);
  // Both are in the list: a link moves the focus.
  await pressOn(page, undo.getByRole('link', { name: /^entry of .* by / }));
  await expect(entries(page).nth(1)).toBeFocused();
  await pressOn(page, entries(page).nth(1).getByRole('link'));
  await expect(undo).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await page.goto(`/admin/activity?record=${id}&kind=members`);
  await expect(page.getByText('No entries match the filters')).toBeVisible();
});

test('opens the linked entry from the panel of the account, as the first entry of the list', async ({
  page,
  instance,
  users,
}) => {
  const user = await users.administrator();
  const name = `${unique('linked')} Patrol`;
  const id = await createAccount(instance, name);
  await page.goto(`/admin/accounts?account=${id}`);
  const opened = panel(page, name);
  await pressOn(page, opened.getByRole('button', { name: 'Archive' }));
  await pressOn(page, toastWith(page, 'archived').getByRole('button', { name: 'Undo' }));
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  // The list of accounts, with many controls, can be between the toast and the tabs.
  await opened.getByRole('tab', { name: /^Members/ }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const history = opened.getByRole('list', { name: 'Activity' }).locator(':scope > li');
  await expect(history.first()).toContainText(`${user.fullName} undid the archiving of ${name}`);
  await expect(history.nth(1)).toContainText(`Undone by ${user.fullName}, `);
  expect(await violationsOn(page)).toEqual([]);
  const link = history.first().getByRole('link', { name: /^entry of / });
  const href = await link.getAttribute('href');
  expect(href).toMatch(/^\/admin\/activity\?entry=/);
  await page.goto(href ?? '');
  await expect(page.getByText('The list starts with the entry that you opened.')).toBeVisible();
  await expect(entries(page).first()).toBeFocused();
  await expect(entries(page).first()).toContainText(`archived ${name}`);
  expect(await violationsOn(page)).toEqual([]);
  expect(await horizontalOverflow(page)).toBe(0);
  // The focus is in the list, after this button.
  await page.getByRole('button', { name: 'Show the newest entries' }).focus();
  await pressEnter(page);
  await expect(page.getByRole('heading', { name: 'Activity' })).toBeFocused();
  await expect(page).not.toHaveURL(/entry=/);
});

test('tells who moved a contact in which direction, and undoes it', async ({ page, instance, users }) => {
  const user = await users.administrator();
  const name = `${unique('contacts')} Patrol`;
  const id = await createAccount(instance, name);
  const call = async (body: object): Promise<{ version: string; contacts: { id: string; name: string }[] }> =>
    (await requestOk(instance, '/functions/v1/set-account-contacts', {
      body,
      token: user.session.access_token,
    })) as { version: string; contacts: { id: string; name: string }[] };
  const empty = { role: '', phone: '', email: '', note: '' };
  const { version } = (await requestOk(instance, '/functions/v1/account-contacts', {
    body: { account_id: id },
    token: user.session.access_token,
  })) as { version: string };
  const first = await call({
    account_id: id,
    version,
    contacts: [
      { name: 'Ben Reyes', ...empty },
      { name: 'Amy Winters', ...empty },
    ],
  });
  const contacts = first.contacts
    .toReversed()
    .map((contact) => ({ ...empty, id: contact.id, name: contact.name }));
  await call({ account_id: id, version: first.version, contacts });
  await page.goto(`/admin/activity?record=${id}`);
  const entry = entries(page).first();
  await expect(entry).toContainText(`${user.fullName} moved the contact Amy Winters up in ${name}`);
  await expect(entry).not.toContainText('Position');
  await expect(entry).not.toContainText('more entr');
  await pressOn(
    page,
    page.getByRole('button', { name: `Undo: moved the contact Amy Winters up in ${name}` }),
  );
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  await pressOn(page, page.getByRole('button', { name: '1 new entry' }));
  await expect(entries(page).first()).toContainText(
    `${user.fullName} undid the move of the contact Amy Winters in ${name}`,
  );
  await expect(entries(page).nth(1)).toContainText(`Undone by ${user.fullName}, `);
  await page.goto('/admin/handover');
  await expect(page.getByText(`undid the move of the contact Amy Winters in ${name}`)).toBeVisible();
  await expect(page.getByText('Undone by').first()).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
});
