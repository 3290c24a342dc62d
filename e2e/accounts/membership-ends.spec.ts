/** End dates of members: set with the member or later, reached while the panel is open, and reactivated. By keyboard alone. */
import type { Locator, Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor } from '../support/accounts-page.ts';
import { account, insertRows, listRows, requestOk, unique, type Row } from '../support/api.ts';
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { expectFieldError, pressEnter } from '../support/forms.ts';
import { linkIn } from '../support/fixtures.ts';
import type { Instance } from '../support/instance.ts';
import { testPassword } from '../support/users.ts';

test.use({ as: 'administrator' });

const createAccount = async (instance: Instance, name: string): Promise<string> => {
  const [row] = await insertRows(instance, 'accounts', [account(name)]);
  return String(row?.['id']);
};
const stored = (instance: Instance, id: string): Promise<Row[]> =>
  listRows(instance, 'account_members', `account_id=eq.${id}`);
const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const setEnd = (instance: Instance, id: string, ends_at: string): Promise<unknown> =>
  requestOk(instance, `/rest/v1/account_members?account_id=eq.${id}`, {
    method: 'PATCH',
    body: { ends_at },
    token: instance.serviceRoleKey(),
  });
const press = async (page: Page, button: Locator): Promise<void> => {
  await button.focus();
  // A user reaches the button by key. Without one, the double-click guard ignores an Enter soon after another.
  await page.keyboard.press('Shift');
  await pressEnter(page);
};
const memberItem = (opened: Locator): Locator =>
  opened.getByRole('list', { name: 'Members of the account' }).getByRole('listitem');
const emailField = (opened: Locator): Locator => opened.getByRole('textbox', { name: "Member's email" });

async function openPanel(page: Page, name: string): Promise<Locator> {
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').focus();
  await pressEnter(page);
  const opened = panel(page, name);
  await expect(emailField(opened)).toBeVisible();
  return opened;
}

test('adds a member until an end date, changes it, and undoes the change', async ({
  page,
  instance,
  users,
}) => {
  const name = `${unique('ends')} Patrol`;
  const id = await createAccount(instance, name);
  const user = await users.create({ isAdministrator: false, fullName: 'Mia Member' });
  const opened = await openPanel(page, name);
  await press(page, opened.getByRole('button', { name: 'More options' }));
  const ends = opened.getByLabel('Access ends');
  await expect(ends).toBeFocused();
  await expect(
    opened.getByText('In your time zone (Europe/Zurich). Leave empty for no end date.'),
  ).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await emailField(opened).fill(user.email);
  await ends.fill('2020-01-01T10:00');
  await pressEnter(page);
  await expectFieldError(ends, 'Select a time in the future');
  await expect(ends).toBeFocused();
  expect(await stored(instance, id)).toEqual([]);
  await ends.fill('2027-07-01T20:00');
  await pressEnter(page);
  await expect(toastWith(page, 'Member added')).toBeVisible();
  await expect(memberItem(opened)).toContainText(/Ends Jul 1, 2027, 8:00\sPM/);
  await expect(emailField(opened)).toHaveValue('');
  await expect(ends).toHaveValue('');
  expect(await stored(instance, id)).toMatchObject([{ ends_at: '2027-07-01T18:00:00+00:00' }]);

  const button = opened.getByRole('button', { name: 'Change end date of Mia Member' });
  await press(page, button);
  const dialog = page.getByRole('dialog', { name: 'End date for Mia Member' });
  await expect(dialog.getByLabel('Until')).toHaveValue('2027-07-01T20:00');
  await expect(dialog).toContainText('The user then no longer sees the account.');
  expect(await violationsOn(page)).toEqual([]);
  await press(page, dialog.getByRole('button', { name: 'In 30 days' }));
  await press(page, dialog.getByRole('button', { name: 'Save end date' }));
  await expect(dialog).toHaveCount(0);
  const saved = toastWith(page, 'End date saved');
  await expect(saved).toContainText(/Mia Member is a member of this account until .*8:00/);
  await expect(button).toBeFocused();
  await press(page, saved.getByRole('button', { name: 'Undo' }));
  await expect(toastWith(page, 'Change undone')).toContainText(/until Jul 1, 2027, 8:00\sPM/);
  await expect(memberItem(opened)).toContainText('Ends Jul 1, 2027');
  await press(page, button);
  await press(page, dialog.getByRole('button', { name: 'No end date' }));
  await press(page, dialog.getByRole('button', { name: 'Save end date' }));
  await expect(saved).toContainText('Mia Member is a member of this account without an end date.');
  await expect(memberItem(opened)).not.toContainText('Ends');
  expect(await stored(instance, id)).toMatchObject([{ ends_at: null, status: 'active' }]);
  await opened.getByRole('tab', { name: /Activity/ }).click();
  await expect(opened.getByText('removed the end of the membership of')).toBeVisible();
  await expect(opened.getByText('set the end of the membership of').first()).toBeVisible();
});

test('shows a membership as ended when its time passes, and reactivates it', async ({
  page,
  instance,
  users,
}) => {
  const name = `${unique('ends')} Patrol`;
  const id = await createAccount(instance, name);
  const user = await users.create({ isAdministrator: false, fullName: 'Mia Member' });
  await insertRows(instance, 'account_members', [{ account_id: id, user_id: user.id }]);
  await setEnd(instance, id, inSeconds(8));
  const opened = await openPanel(page, name);
  const item = memberItem(opened);
  await expect(item.getByRole('button', { name: 'Change end date of Mia Member' })).toBeVisible();
  // The console reads the time every 15 seconds.
  await expect(item).toContainText(/ended.*Ended /s, { timeout: 30_000 });
  await expect(item.getByRole('button', { name: /Change end date|Suspend/ })).toHaveCount(0);
  await expect(opened.getByRole('definition').filter({ hasText: /^\d+$/ })).toHaveText('0');
  expect(await violationsOn(page)).toEqual([]);
  await expect
    .poll(async () => stored(instance, id), { timeout: 30_000 })
    .toMatchObject([{ status: 'ended' }]);

  await press(page, item.getByRole('button', { name: 'Reactivate Mia Member' }));
  const dialog = page.getByRole('dialog', { name: 'Reactivate Mia Member' });
  await expect(dialog).toContainText('Select a new end date, or leave the field empty for no end date.');
  await expect(dialog.getByLabel('Until')).toHaveValue('');
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByLabel('Until').focus();
  await pressEnter(page);
  await expect(toastWith(page, 'Member reactivated')).toBeVisible();
  await expect(item.getByRole('button', { name: 'Suspend Mia Member' })).toBeFocused();
  await expect(item).not.toContainText(/Ends|Ended/);
  expect(await stored(instance, id)).toMatchObject([{ status: 'active', ends_at: null }]);
  await opened.getByRole('tab', { name: /Activity/ }).click();
  await expect(opened.getByText('Service ended the membership of')).toBeVisible();
  await expect(opened.getByText('extended the membership of')).toBeVisible();
});

test('a suspended member is reactivated after the end date with a new one', async ({
  page,
  instance,
  users,
}) => {
  const name = `${unique('ends')} Patrol`;
  const id = await createAccount(instance, name);
  const user = await users.create({ isAdministrator: false, fullName: 'Mia Member' });
  await insertRows(instance, 'account_members', [{ account_id: id, user_id: user.id, status: 'suspended' }]);
  await setEnd(instance, id, inSeconds(-60));
  const opened = await openPanel(page, name);
  await expect(memberItem(opened)).toContainText('suspended');
  await expect(memberItem(opened)).toContainText('Ended');
  await press(page, opened.getByRole('button', { name: 'Reactivate Mia Member' }));
  const dialog = page.getByRole('dialog', { name: 'Reactivate Mia Member' });
  await press(page, dialog.getByRole('button', { name: 'In 7 days' }));
  await press(page, dialog.getByRole('button', { name: 'Reactivate' }));
  await expect(dialog).toHaveCount(0);
  await expect(memberItem(opened)).toContainText(/active.*Ends /s);
});

test('a signed-in member loses the account and the session at the end', async ({
  instance,
  users,
  openBrowser,
  expectMessage,
}) => {
  expectMessage(/status of 40[0134]/);
  const name = `${unique('ends')} Patrol`;
  const id = await createAccount(instance, name);
  const user = await users.create({ isAdministrator: false, fullName: 'Mia Member' });
  await insertRows(instance, 'account_members', [{ account_id: id, user_id: user.id }]);
  const member = await openBrowser(user);
  await member.goto('/admin/accounts');
  await expect(member.getByRole('row', { name: new RegExp(name) })).toBeVisible();
  await setEnd(instance, id, inSeconds(1));
  await expect(member.getByRole('heading', { name: 'Welcome Back' })).toBeVisible({ timeout: 40_000 });
  await member.getByLabel('Email').fill(user.email);
  await member.getByLabel('Password', { exact: true }).fill(testPassword);
  await member.keyboard.press('Enter');
  await expect(member.getByText('You are not an active member of an account.')).toBeVisible();
  await member.goto('/admin/membership');
  await expect(member.getByText('or your membership has ended')).toBeVisible();
  expect(await violationsOn(member)).toEqual([]);
});

test('an administrator does not change the end date of their own membership, or remove it', async ({
  page,
  instance,
  users,
}) => {
  const name = `${unique('ends')} Patrol`;
  const id = await createAccount(instance, name);
  const { id: user_id } = await users.administrator();
  await insertRows(instance, 'account_members', [{ account_id: id, user_id }]);
  await setEnd(instance, id, inSeconds(3600));
  const opened = await openPanel(page, name);
  await expect(memberItem(opened)).toContainText('Ends');
  await expect(memberItem(opened).getByRole('button', { name: /Change end date/ })).toHaveCount(0);
  await expect(memberItem(opened).getByRole('button')).toHaveText(['Suspend']);
  expect(await violationsOn(page)).toEqual([]);
  await setEnd(instance, id, inSeconds(-1));
  await page.reload();
  await expect(memberItem(panel(page, name))).toContainText('Ended');
  await expect(memberItem(panel(page, name)).getByRole('button')).toHaveCount(0);
});

test('invites a member until an end date', async ({ page, instance, openBrowser, expectMessage }) => {
  expectMessage(/status of 404/);
  const name = `${unique('ends')} Patrol`;
  const id = await createAccount(instance, name);
  const email = `${unique('nina')}@example.org`;
  const opened = await openPanel(page, name);
  await press(page, opened.getByRole('button', { name: 'More options' }));
  await opened.getByLabel('Access ends').fill('2027-07-01T20:00');
  await emailField(opened).fill(email);
  await emailField(opened).press('Enter');
  const dialog = page.getByRole('dialog', { name: `Invite ${email} as a member of ${name}` });
  await expect(dialog.getByLabel('Full name')).toBeFocused();
  await page.keyboard.type('Nina New');
  await press(page, dialog.getByRole('button', { name: 'More options' }));
  // The end date that was chosen for the address.
  const ends = dialog.getByLabel('Access ends');
  await expect(ends).toHaveValue('2027-07-01T20:00');
  expect(await violationsOn(page)).toEqual([]);
  await ends.fill('2020-01-01T10:00');
  await press(page, dialog.getByRole('button', { name: 'Send invitation' }));
  await expectFieldError(ends, 'Select a time in the future');
  await ends.fill('2027-08-01T20:00');
  await press(page, dialog.getByRole('button', { name: 'Send invitation' }));
  const invited = opened.getByRole('list', { name: 'Invited' }).getByRole('listitem');
  await expect(invited).toContainText(/Access ends Aug 1, 2027, 8:00\sPM/);
  const nina = await openBrowser(null);
  await nina.goto(linkIn(await instance.mailTo(email)).replace(/^https?:\/\/[^/]+/, instance.url));
  await nina.getByLabel('Password', { exact: true }).fill('a new lantern 9');
  await nina.getByLabel('Confirm Password', { exact: true }).fill('a new lantern 9');
  await nina.keyboard.press('Enter');
  await expect(nina.getByRole('heading', { name: `You are a member of ${name}` })).toBeVisible();
  expect(await stored(instance, id)).toMatchObject([
    { ends_at: '2027-08-01T18:00:00+00:00', status: 'active' },
  ]);
});
