/** Members of an account in its panel: add, suspend, remove, undo, other accounts. */
import type { Locator, Page } from '@playwright/test';
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor } from '../support/accounts-page.ts';
import { account, insertRows, listRows, unique, type Row } from '../support/api.ts';
import type { Instance } from '../support/instance.ts';
import type { TestUser } from '../support/users.ts';

test.use({ as: 'administrator' });

async function createAccount(instance: Instance, name: string): Promise<string> {
  const [row] = await insertRows(instance, 'accounts', [account(name)]);
  return String(row?.['id']);
}
const stored = (instance: Instance, id: string): Promise<Row[]> =>
  listRows(instance, 'account_members', `account_id=eq.${id}`);
const usersCell = (page: Page, name: string): Locator => rowFor(page, name).getByRole('cell').nth(3);
const press = async (page: Page, button: Locator): Promise<void> => {
  await button.focus();
  // A user reaches the button by key. Without one, the double-click guard ignores an Enter soon after another.
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
};
const undo = (page: Page, title: string): Locator =>
  toastWith(page, title).getByRole('button', { name: 'Undo' });

async function openPanel(page: Page, name: string): Promise<Locator> {
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const opened = panel(page, name);
  await expect(opened.getByRole('textbox', { name: "Member's email" })).toBeVisible();
  return opened;
}

async function addByKeyboard(page: Page, opened: Locator, { email, fullName }: TestUser): Promise<Locator> {
  await opened.getByRole('textbox', { name: "Member's email" }).focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Member added')).toContainText(`${fullName} is now a member of this account.`);
  const item = opened.getByRole('list', { name: 'Members of the account' }).getByRole('listitem');
  await expect(item).toHaveCount(1);
  return item;
}

test('adds, suspends and removes a member by keyboard, and undoes each', async ({
  page,
  instance,
  users,
}) => {
  const name = `${unique('members')} Patrol`;
  const id = await createAccount(instance, name);
  const user = await users.create({ isAdministrator: false, fullName: 'Mia Member' });
  const opened = await openPanel(page, name);
  await expect(opened.getByText('This account has no members.')).toBeVisible();
  const count = opened.getByRole('definition').filter({ hasText: /^\d+$/ });
  const item = await addByKeyboard(page, opened, user);
  await expect(item).toContainText(user.email);
  await expect(item).toContainText('active');
  for (const users_ of [count, usersCell(page, name)]) await expect(users_).toHaveText('1');
  expect(await violationsOn(page)).toEqual([]);
  const [before] = await stored(instance, id);

  await press(page, item.getByRole('button', { name: 'Suspend Mia Member' }));
  await expect(toastWith(page, 'Member suspended')).toBeVisible();
  await expect(item.getByRole('button', { name: 'Reactivate Mia Member' })).toBeFocused();
  // The tab counts its list, with the suspended member.
  await expect(opened.getByRole('tab', { name: 'Members 1', exact: true })).toBeVisible();
  await expect(opened.getByText('Active members', { exact: true })).toBeVisible();
  for (const users_ of [count, usersCell(page, name)]) await expect(users_).toHaveText('0');
  await press(page, undo(page, 'Member suspended'));
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  for (const users_ of [count, usersCell(page, name)]) await expect(users_).toHaveText('1');
  expect(await stored(instance, id)).toEqual([before]);

  await press(page, item.getByRole('button', { name: 'Remove Mia Member' }));
  await expect(toastWith(page, 'Member removed')).toBeVisible();
  await expect(item).toHaveCount(0);
  await expect(opened.getByRole('group', { name: 'Members' })).toBeFocused();
  for (const users_ of [count, usersCell(page, name)]) await expect(users_).toHaveText('0');
  await expect(opened.getByRole('tab', { name: 'Members 0', exact: true })).toBeVisible();
  await press(page, undo(page, 'Member removed'));
  await expect(item).toContainText('Mia Member');
  for (const users_ of [count, usersCell(page, name)]) await expect(users_).toHaveText('1');
  expect(await stored(instance, id)).toEqual([before]);
});

test('changes one member while another change runs, and offers Retry for an Undo', async ({
  page,
  instance,
  users,
}) => {
  await page.clock.install();
  const name = `${unique('members')} Patrol`;
  const id = await createAccount(instance, name);
  for (const fullName of ['Ann Held', 'Bo Removed']) {
    const { id: user_id } = await users.create({ isAdministrator: false, fullName });
    await insertRows(instance, 'account_members', [{ account_id: id, user_id }]);
  }
  const opened = await openPanel(page, name);
  const { release } = await holdRequests(page, /set-account-member/);
  const members = opened.getByRole('list', { name: 'Members of the account' }).getByRole('listitem');
  const ann = members.filter({ hasText: 'Ann Held' });
  await ann.getByRole('button', { name: 'Suspend Ann Held' }).click();
  for (const button of await ann.getByRole('button').all()) await expect(button).toBeDisabled();
  await opened.getByRole('button', { name: 'Remove Bo Removed' }).click();
  await expect(toastWith(page, 'Member removed')).toContainText('Bo Removed');
  await expect(members).toHaveCount(1);
  release();
  await expect(ann.getByRole('button', { name: 'Reactivate Ann Held' })).toBeEnabled();
  expect(await stored(instance, id)).toMatchObject([{ status: 'suspended' }]);

  const unanswered = await holdRequests(page, /undo-account-member/);
  const sent = page.waitForRequest(/undo-account-member/);
  await undo(page, 'Member suspended').click();
  await sent;
  const failure = toastWith(page, 'Error changing member');
  // A second attempt starts after the limit of the first, in real time.
  await expect(async () => {
    await page.clock.runFor(15_000);
    await expect(failure).toContainText('The service did not respond in time.', { timeout: 1000 });
  }).toPass();
  unanswered.release();
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(toastWith(page, 'Change undone')).toBeVisible();
  expect(await stored(instance, id)).toMatchObject([{ status: 'active' }]);
});

test('explains why a person cannot be added', async ({ page, instance, users, expectMessage }) => {
  expectMessage(/status of 40[49]/);
  const name = `${unique('members')} Patrol`;
  const id = await createAccount(instance, name);
  const user = await users.create({ isAdministrator: false });
  await insertRows(instance, 'account_members', [{ account_id: id, user_id: user.id }]);
  const opened = await openPanel(page, name);
  const field = opened.getByRole('textbox', { name: "Member's email" });
  for (const [email, message] of [
    ['', 'Invalid email address'],
    ['nobody', 'Invalid email address'],
    [user.email, `${user.email} is already a member of this account.`],
  ] as const) {
    await field.fill(email);
    await field.press('Enter');
    await expect(opened.getByText(message)).toBeInViewport({ ratio: 1 });
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(email);
  }
  expect(await stored(instance, id)).toHaveLength(1);
});

test('opens the other accounts of a member', async ({ page, instance, users }) => {
  const [first, second] = [`${unique('first')} Patrol`, `${unique('second')} Patrol`];
  const ids = [await createAccount(instance, first), await createAccount(instance, second)];
  const user = await users.create({ isAdministrator: false, fullName: 'Mia Member' });
  await insertRows(
    instance,
    'account_members',
    ids.map((account_id) => ({ account_id, user_id: user.id })),
  );
  const opened = await openPanel(page, first);
  await press(page, opened.getByRole('link', { name: second }));
  await expect(panel(page, second).getByRole('link', { name: first })).toBeVisible();
  await expect(panel(page, second)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel(page, second)).toHaveCount(0);
});

test.describe('a user without the role', () => {
  test.use({ as: 'plain' });
  test('sees no members', async ({ page, instance, users }) => {
    const name = `${unique('members')} Patrol`;
    const id = await createAccount(instance, name);
    await insertRows(instance, 'account_members', [{ account_id: id, user_id: (await users.plain()).id }]);
    await page.goto(`/admin/accounts?account=${id}`);
    await expect(panel(page, name).getByText('Last updated')).toBeVisible();
    await expect(panel(page, name).getByRole('tab')).toHaveCount(0);
  });
});
