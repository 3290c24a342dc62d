/** Access of administrators: end of the role, sessions, View menu and palette. By keyboard alone. */
import type { Locator, Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { openNewAccount } from '../support/accounts-page.ts';
import { insertRows, requestOk, unique } from '../support/api.ts';
import { openAdmins, rowFor, rows } from '../support/admins-page.ts';
import {
  expect,
  failedLoad,
  holdRequests,
  respondWith,
  test,
  toastWith,
} from '../support/console-fixtures.ts';
import { expectFieldError, requestsTo } from '../support/forms.ts';
import type { Instance } from '../support/instance.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';
import { testPassword } from '../support/users.ts';
import { openPalette } from '../support/palette.ts';

test.use({ as: 'administrator' });

const panelOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true });

async function openPanelByKeyboard(page: Page, email: string, name: string): Promise<Locator> {
  await pressOn(page, rowFor(page, email).getByRole('link', { name }));
  const panel = panelOf(page, name);
  await expect(panel.getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible();
  return panel;
}

/** Creates an administrator who never had an invitation. */
async function createUninvited(instance: Instance): Promise<{ email: string; id: string }> {
  const email = `${unique('founder')}@example.org`;
  const token = instance.serviceRoleKey();
  const body = { email, email_confirm: true };
  const { id } = (await requestOk(instance, '/auth/v1/admin/users', { body, token })) as { id: string };
  await insertRows(instance, 'user_roles', [{ user_id: id, role: 'platform_admin' }]);
  return { email, id };
}

test('sets and removes the end of a role', async ({ page, users }) => {
  const user = await users.create({ fullName: 'Tess Temporary' });
  await openAdmins(page);
  const panel = await openPanelByKeyboard(page, user.email, user.fullName);
  await expect(panel).toContainText('No end date');
  await expect(panel).toContainText('by Administrator');
  await expect(panel).toContainText('Not set up');
  await pressOn(page, panel.getByRole('button', { name: 'Change end date' }));
  const dialog = page.getByRole('dialog', { name: 'End date for Tess Temporary' });
  await expect(dialog).toContainText('In your time zone (Europe/Zurich)');
  expect(await violationsOn(page)).toEqual([]);
  // A half-filled field has no value, as without an end date.
  await dialog.getByLabel('Until').focus();
  await page.keyboard.type('12');
  await dialog.getByRole('button', { name: 'Save end date' }).click();
  await expectFieldError(dialog.getByLabel('Until'), 'Enter a date and a time');
  await pressOn(page, dialog.getByRole('button', { name: 'Sunday evening' }));
  await expect(dialog.getByLabel('Until')).toHaveValue(/T20:00$/);
  await expect(dialog.getByText('Enter a date and a time')).toHaveCount(0);
  await pressOn(page, dialog.getByRole('button', { name: 'Save end date' }));
  await expect(toastWith(page, 'End date saved')).toContainText('Tess Temporary is an administrator until');
  await expect(rowFor(page, user.email)).toContainText(/Until .*8:00/);
  await expect(panel.getByRole('button', { name: 'Change end date' })).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);

  // The console ignores a second Enter within 400 ms of the first one.
  await page.waitForTimeout(500);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Until').fill('2020-01-01T10:00');
  await pressOn(page, dialog.getByRole('button', { name: 'Save end date' }));
  await expect(dialog).toContainText('Select a time in the future');
  await pressOn(page, dialog.getByRole('button', { name: 'No end date' }));
  await pressOn(page, dialog.getByRole('button', { name: 'Save end date' }));
  await expect(dialog).toHaveCount(0);
  await expect(rowFor(page, user.email)).not.toContainText('Until');
});

// The second of two times that the input shows alike.
for (const [zone, endsAt, shown] of [
  ['Europe/Zurich', '2027-10-31T01:30:45Z', '2027-10-31T02:30'],
  ['America/New_York', '2027-11-07T06:30:45Z', '2027-11-07T01:30'],
  ['Australia/Lord_Howe', '2027-04-03T15:15:10Z', '2027-04-04T01:45'],
] as const) {
  test.describe(`in the zone ${zone}`, () => {
    test.use({ timezoneId: zone });

    test('saves neither an unchanged nor a half-filled end date', async ({ page, users, instance }) => {
      const user = await users.create({ fullName: 'Tess Temporary' });
      const body = { ends_at: endsAt };
      const token = instance.serviceRoleKey();
      const path = `/rest/v1/user_roles?user_id=eq.${user.id}`;
      await requestOk(instance, path, { method: 'PATCH', body, token });
      const calls = requestsTo(page, /set-administrator-end/);
      await openAdmins(page);
      const panel = await openPanelByKeyboard(page, user.email, user.fullName);
      await pressOn(page, panel.getByRole('button', { name: 'Change end date' }));
      const dialog = page.getByRole('dialog', { name: 'End date for Tess Temporary' });
      await expect(dialog.getByLabel('Until')).toHaveValue(shown);
      await pressOn(page, dialog.getByRole('button', { name: 'Save end date' }));
      await expect(dialog).toHaveCount(0);
      await panel.getByRole('button', { name: 'Change end date' }).click();
      await dialog.getByLabel('Until').focus();
      await page.keyboard.press('Backspace');
      await dialog.getByRole('button', { name: 'Save end date' }).click();
      await expectFieldError(dialog.getByLabel('Until'), 'Enter a date and a time');
      expect(calls).toHaveLength(0);
    });
  });
}

test('signs out one session of an administrator', async ({ page, users, openBrowser, expectMessage }) => {
  const user = await users.create({ fullName: 'Sid Sessions' });
  const other = await openBrowser(user);
  await other.goto('/admin/accounts');
  await expect(other.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  await openAdmins(page);
  const panel = await openPanelByKeyboard(page, user.email, user.fullName);
  const sessions = panel.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText('127.0.0.0/24 · last renewed');
  await expect(panel).toContainText('A session renews itself about every 60 minutes while it is in use.');
  expectMessage(failedLoad(401));
  expectMessage(failedLoad(400));
  expectMessage(failedLoad(403));
  await pressOn(page, sessions.getByRole('button', { name: /^Sign out/ }));
  const confirmation = page.getByRole('alertdialog');
  await expect(confirmation).toContainText('of Sid Sessions?');
  await pressOn(page, confirmation.getByRole('button', { name: 'Sign out', exact: true }));
  await expect(toastWith(page, 'Signed out')).toContainText('1 session ended.');
  await expect(panel).toContainText('Not signed in.');
  await expect(other.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('asks an administrator about their own other sessions', async ({
  users,
  openBrowser,
  instance,
  request,
}) => {
  const user = await users.create({ fullName: 'Olga Own' });
  for (let count = 0; count < 2; count += 1)
    await request.post(`${instance.url}/auth/v1/token?grant_type=password`, {
      headers: { apikey: instance.anonKey() },
      data: { email: user.email, password: testPassword },
    });
  const page = await openBrowser(user);
  await openAdmins(page);
  const panel = await openPanelByKeyboard(page, user.email, user.fullName);
  const sessions = panel.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions.filter({ hasText: 'This session' })).toContainText('127.0.0.0/24 · active now');
  await panel.getByRole('button', { name: 'Sign out all others' }).click();
  const confirmation = page.getByRole('alertdialog', { name: 'Sign out all your other sessions?' });
  await expect(confirmation).toContainText('You stay signed in here.');
  await confirmation.getByRole('button', { name: 'Sign out all others' }).click();
  await expect(toastWith(page, 'Signed out')).toContainText('2 sessions ended.');
  await expect(panel.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);
});

test('ends the sessions of an ended role, and invites its owner again', async ({
  page,
  users,
  instance,
  openBrowser,
  expectMessage,
}) => {
  const user = await users.create({ fullName: 'Eve Ended' });
  const other = await openBrowser(user);
  const form = await openNewAccount(other);
  await form.getByLabel('Account Name').fill('Too Late Rescue');
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  await requestOk(instance, `/rest/v1/user_roles?user_id=eq.${user.id}`, {
    method: 'PATCH',
    token: instance.serviceRoleKey(),
    body: { ends_at: new Date().toISOString() },
  });
  // The session ends within 15 seconds; the input stays, and nothing is saved.
  await expect(other.getByRole('dialog', { name: 'Sign in again' })).toBeVisible({ timeout: 30_000 });
  await expect(other.getByLabel('Account Name', { exact: true })).toHaveValue('Too Late Rescue');
  await openAdmins(page);
  await expect(rowFor(page, user.email)).toContainText('ended');
  const panel = await openPanelByKeyboard(page, user.email, user.fullName);
  await expect(panel).toContainText(/Ended .*2026/);
  await pressOn(page, panel.getByRole('button', { name: 'Resend', exact: true }));
  await expect(toastWith(page, 'Email resent!')).toBeVisible();
  await expect(rowFor(page, user.email)).toContainText('pending');
});

test('filters by search and status in the View menu and the URL', async ({ page, users, instance }) => {
  const user = await users.create({ fullName: 'Zoë Filter' });
  const { email } = await createUninvited(instance);
  await openAdmins(page);
  const total = await rows(page).count();
  await pressOn(page, page.getByRole('button', { name: 'View', exact: true }));
  const menu = page.getByRole('dialog', { name: 'View' });
  await tabTo(page, menu.getByRole('searchbox'));
  await page.keyboard.type('zoe filter');
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=zoe/);
  await expect(page.getByText(`Showing 1 of ${total} invitations.`)).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await tabTo(page, menu.getByLabel('Status'));
  await menu.getByLabel('Status').selectOption('Pending');
  await expect(page.getByText('No invitations match')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await page.reload();
  await expect(page.getByText('No invitations match')).toBeVisible();
  await pressOn(page, page.getByRole('button', { name: 'Clear filters' }));
  await expect(rowFor(page, user.email)).toBeVisible();
  await expect(page).not.toHaveURL(/q=|show=/);
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeFocused();

  await page.goto('/admin/platform-admins?show=uninvited');
  await pressOn(page, page.getByRole('link', { name: email }));
  await expect(panelOf(page, email).getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
});

test('keeps composed text in the search, and counts no invitations before they are loaded', async ({
  page,
}) => {
  const list = await holdRequests(page, /\/rest\/v1\/user_invitations/);
  await page.goto('/admin/platform-admins');
  await page.getByRole('button', { name: 'View', exact: true }).click();
  const visited = await page.evaluate(() => history.length);
  await page.getByRole('searchbox').pressSequentially('zzz ');
  await expect(page).toHaveURL(/q=zzz/);
  // An input method composes text in several steps.
  const inputMethod = await page.context().newCDPSession(page);
  for (const text of ['f', 'fi', 'filter'])
    await inputMethod.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  await inputMethod.send('Input.insertText', { text: 'filter' });
  await expect(page.getByRole('searchbox')).toHaveValue('zzz filter');
  await expect(page).toHaveURL(/q=zzz(?:\+|%20)filter/);
  expect(await page.evaluate(() => history.length)).toBe(visited);
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  list.release();
  await expect(page.getByText(/^Showing 0 of \d+ invitations\.$/)).toBeVisible();
});

test('finds administrators in the command palette', async ({ page, users, instance }) => {
  const { email } = await createUninvited(instance);
  const invited = await users.create({ fullName: 'Paula Palette' });
  await openAdmins(page);
  for (const [typed, name] of [
    [email, email],
    ['paula pal', 'Paula Palette'],
  ] as const) {
    await openPalette(page);
    await page.keyboard.type(typed);
    await expect(page.getByRole('option', { name })).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(panelOf(page, name).getByRole('heading', { name: 'Sessions', exact: true })).toBeVisible();
  }
  await expect(page).toHaveURL(/invitation=/);
  await expect(rowFor(page, invited.email)).toBeVisible();
});

test('shows that the second-factor requirement cannot be loaded, and opens its form on Retry', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(500));
  const url = /\/second-factor-requirement$/;
  await respondWith(page, url, 500, { error: 'The database is down' });
  await openAdmins(page);
  await pressOn(page, page.getByRole('button', { name: 'View', exact: true }));
  await pressOn(page, page.getByRole('button', { name: 'Second factor for administrators' }));
  const dialog = page.getByRole('dialog', { name: 'Require a second factor of all administrators?' });
  await expect(dialog).toContainText('The setting could not be loaded');
  await expect(dialog).toContainText('The database is down');
  expect(await violationsOn(page)).toEqual([]);
  // The setting is also read again without Retry.
  await tabTo(page, dialog.getByRole('button', { name: 'Retry' }));
  await page.unroute(url);
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('link', { name: 'Add your second factor' })).toBeVisible();
  await tabTo(page, dialog.getByLabel('Grace period in days'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Invite Admin' })).toBeFocused();
});

test('users without the role see none of it', async ({ users, openBrowser }) => {
  const page = await openBrowser(await users.plain());
  await page.goto('/admin/platform-admins?show=uninvited');
  await expect(page.getByText('Access Denied')).toBeVisible();
  await openPalette(page);
  await page.keyboard.type('second factor');
  // Only that of the user.
  await expect(page.getByRole('option')).toHaveText([/^Security/]);
});
