/** Invitations of members: from the panel of the account to the page of the new member. */
import type { Locator, Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor } from '../support/accounts-page.ts';
import { account, insertRows, listRows, requestOk, unique } from '../support/api.ts';
import { expect, respondWith, test, toastWith } from '../support/console-fixtures.ts';
import { linkIn } from '../support/fixtures.ts';
import type { Instance } from '../support/instance.ts';

test.use({ as: 'administrator' });

// The console reports the response 404 to an unknown address.
test.beforeEach(({ expectMessage }) => expectMessage(/status of 404/));

const createAccount = async (instance: Instance, name: string): Promise<string> => {
  const [row] = await insertRows(instance, 'accounts', [account(name)]);
  return String(row?.['id']);
};
const field = (opened: Locator): Locator => opened.getByRole('textbox', { name: "Member's email" });
const invited = (opened: Locator): Locator =>
  opened.getByRole('list', { name: 'Invited' }).getByRole('listitem');

async function openPanel(page: Page, name: string): Promise<Locator> {
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const opened = panel(page, name);
  await expect(field(opened)).toBeVisible();
  return opened;
}

/** Enters an unknown address by keyboard. Returns the dialog. */
async function openDialog(page: Page, opened: Locator, email: string, name: string): Promise<Locator> {
  await field(opened).focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Invite ${email} as a member of ${name}` });
  await expect(dialog.getByLabel('Full name')).toBeFocused();
  return dialog;
}

async function invite(page: Page, opened: Locator, email: string, name: string): Promise<void> {
  const dialog = await openDialog(page, opened, email, name);
  await page.keyboard.type('Nina New');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(invited(opened)).toHaveCount(1);
}

const press = async (page: Page, button: Locator): Promise<void> => {
  await button.focus();
  // A user reaches the button by key. Without one, the double-click guard ignores an Enter soon after another.
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
};

test('invites an unknown person by keyboard, who sets a password and sees what they can do', async ({
  page,
  instance,
  openBrowser,
}) => {
  const name = `${unique('invited')} Patrol`;
  const id = await createAccount(instance, name);
  const email = `${unique('nina')}@example.org`;
  const opened = await openPanel(page, name);
  const dialog = await openDialog(page, opened, email, name);
  await expect(dialog).toContainText('This person cannot sign in yet. The email contains a link');
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Full name must be at least 2 characters')).toBeVisible();
  await expect(dialog.getByLabel('Full name')).toBeFocused();
  await page.keyboard.type('Nina New');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Invitation sent')).toContainText(email);
  await expect(field(opened)).toBeFocused();
  await expect(field(opened)).toHaveValue('');
  await expect(invited(opened)).toContainText(['Nina New']);
  await expect(invited(opened)).toContainText([email]);
  await expect(invited(opened)).toContainText(['pending']);
  expect(await violationsOn(page)).toEqual([]);
  expect(await listRows(instance, 'account_members', `account_id=eq.${id}`)).toEqual([]);
  expect(await listRows(instance, 'user_invitations', `email=eq.${email}`)).toEqual([]);

  const mail = await instance.mailTo(email);
  expect(mail.subject).toBe(`You have been invited to ${name} on Lanternrock`);
  const nina = await openBrowser(null);
  await nina.goto(linkIn(mail).replace(/^https?:\/\/[^/]+/, instance.url));
  await expect(nina.getByText('You were invited to Lanternrock as a member of an account.')).toBeVisible();
  expect(await violationsOn(nina)).toEqual([]);
  await nina.getByLabel('Password', { exact: true }).focus();
  await nina.keyboard.type('a new lantern 9');
  await nina.keyboard.press('Enter');
  await nina.getByLabel('Confirm Password', { exact: true }).fill('a new lantern 9');
  await nina.keyboard.press('Enter');
  await expect(nina).toHaveURL(/\/admin\/membership$/);
  await expect(nina.getByRole('heading', { name: `You are a member of ${name}` })).toBeVisible();
  await expect(nina.getByText('Administrators of Lanternrock manage the rest')).toBeVisible();
  await expect(nina.getByRole('complementary')).toHaveCount(0);
  await expect(nina).toHaveTitle('Your membership - Lanternrock');
  expect(await violationsOn(nina)).toEqual([]);
  const view = nina.getByRole('link', { name: 'View your account' });
  const isPrimary = (control: Locator) =>
    control.evaluate((element) => element.classList.contains('bg-primary'));
  expect(await isPrimary(view)).toBe(true);
  expect(await isPrimary(nina.getByRole('button', { name: 'Sign Out' }))).toBe(false);
  await press(nina, view);
  await expect(nina.getByRole('row', { name: new RegExp(name) })).toBeVisible();
  await nina.goto('/admin/platform-admins');
  await expect(nina.getByText('Access Denied', { exact: true })).toBeVisible();
  await nina.goto('/admin/membership');
  await press(nina, nina.getByRole('button', { name: 'Sign Out' }));
  await expect(nina.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(toastWith(nina, 'Signed out')).toBeVisible();
  await expect(nina.getByLabel('Email')).toBeFocused();

  // The open panel shows the acceptance without a reload.
  await expect(opened.getByRole('list', { name: 'Members of the account' })).toContainText('Nina New', {
    timeout: 25_000,
  });
  await expect(invited(opened)).toHaveCount(0);
  const [member] = await listRows(instance, 'account_members', `account_id=eq.${id}`);
  expect(member).toMatchObject({ status: 'active' });
  expect(await listRows(instance, 'user_roles', `user_id=eq.${String(member?.['user_id'])}`)).toEqual([]);
  await opened.getByRole('tab', { name: /Activity/ }).click();
  await expect(opened.getByText('accepted the invitation as a member of')).toBeVisible();
});

test('resends and revokes an invitation by keyboard', async ({
  page,
  instance,
  openBrowser,
  expectMessage,
}) => {
  const name = `${unique('invited')} Patrol`;
  await createAccount(instance, name);
  const email = `${unique('nina')}@example.org`;
  const opened = await openPanel(page, name);
  await invite(page, opened, email, name);
  await press(page, invited(opened).getByRole('button', { name: 'Resend Nina New' }));
  await expect(toastWith(page, 'Email resent')).toBeVisible();
  await expect(invited(opened).getByRole('button', { name: 'Resend Nina New' })).toBeFocused();
  // A further address is not asked for a name again.
  await field(opened).fill(email);
  await field(opened).press('Enter');
  await expect(opened.getByText(`${email} has a pending invitation to this account.`)).toBeVisible();
  await expect(page.getByRole('dialog', { name: /^Invite/ })).toHaveCount(0);

  await press(page, invited(opened).getByRole('button', { name: 'Revoke Nina New' }));
  const question = page.getByRole('alertdialog', { name: 'Revoke the invitation of Nina New?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(invited(opened)).toHaveCount(1);
  await press(page, invited(opened).getByRole('button', { name: 'Revoke Nina New' }));
  await press(page, question.getByRole('button', { name: 'Revoke invitation' }));
  await expect(toastWith(page, 'Invitation revoked')).toContainText('Nina New');
  await expect(invited(opened)).toHaveCount(0);
  await expect(opened.getByRole('group', { name: 'Invited' })).toBeFocused();

  expectMessage(/status of 403/);
  const nina = await openBrowser(null);
  await nina.goto(linkIn(await instance.mailTo(email)).replace(/^https?:\/\/[^/]+/, instance.url));
  await expect(nina.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('keeps the entered name when the invitation is rejected, and confirms discarding it', async ({
  page,
  instance,
  expectMessage,
}) => {
  expectMessage(/status of 4(09|29)/);
  const name = `${unique('invited')} Patrol`;
  await createAccount(instance, name);
  const email = `${unique('nina')}@example.org`;
  const opened = await openPanel(page, name);
  const dialog = await openDialog(page, opened, email, name);
  await respondWith(page, /invite-account-member/, 409, {
    code: 'not_invitable',
    error: `${email} is blocked and cannot sign in.`,
  });
  await page.keyboard.type('Nina New');
  await page.keyboard.press('Enter');
  await expect(toastWith(page, 'Error inviting member')).toContainText('is blocked and cannot sign in.');
  await expect(dialog.getByLabel('Full name')).toHaveValue('Nina New');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Discard the changes?' });
  await press(page, question.getByRole('button', { name: 'Discard changes' }));
  await expect(dialog).toHaveCount(0);
  await expect(field(opened)).toBeFocused();
  await expect(field(opened)).toHaveValue(email);
});

test('names all accounts of a member, and sends the note', async ({ page, instance, users, openBrowser }) => {
  const names = [`${unique('first')} Patrol`, `${unique('second')} Patrol`];
  const email = `${unique('nina')}@example.org`;
  const { session } = await users.administrator();
  const id = await createAccount(instance, names[1] ?? '');
  await requestOk(instance, '/functions/v1/invite-account-member', {
    body: { account_id: id, email, full_name: 'Nina New' },
    token: session.access_token,
  });
  await createAccount(instance, names[0] ?? '');
  const opened = await openPanel(page, names[0] ?? '');
  const dialog = await openDialog(page, opened, email, names[0] ?? '');
  await page.keyboard.type('Nina New');
  await press(page, dialog.getByRole('button', { name: 'More options' }));
  await expect(dialog.getByLabel('Note')).toBeFocused();
  await page.keyboard.type('Welcome to the harbor');
  await dialog.getByLabel('Link expires').selectOption('12 hours after the email');
  await press(page, dialog.getByRole('button', { name: 'Send invitation' }));
  await expect(invited(opened)).toHaveCount(1);
  await expect.poll(async () => (await instance.mailTo(email, 1)).text).toContain('Welcome to the harbor');
  const nina = await openBrowser(null);
  await nina.goto(linkIn(await instance.mailTo(email, 1)).replace(/^https?:\/\/[^/]+/, instance.url));
  await nina.getByLabel('Password', { exact: true }).fill('a new lantern 9');
  await nina.getByLabel('Confirm Password', { exact: true }).fill('a new lantern 9');
  await nina.keyboard.press('Enter');
  await expect(nina.getByRole('heading', { name: 'You are a member of 2 accounts' })).toBeVisible();
  await expect(nina.getByRole('list', { name: 'Your accounts' }).getByRole('listitem')).toHaveText(
    names.toSorted(),
  );
  expect(await violationsOn(nina)).toEqual([]);
});
