/** Reauthentication before a sensitive change. Uses Postgres, so that SQL can make a session older. */
import type { Page } from '@playwright/test';
import { openAdmins } from '../support/admins-page.ts';
import { openPanel } from '../support/admins-panel.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { expectFieldError, pressEnter } from '../support/forms.ts';
import { emailedCode, newSession, type TestUser, testPassword } from '../support/users.ts';
import { enroll } from '../support/second-factor.ts';
import { addApp, openSecurity, section, totpCode, secondFactorsTitle } from '../support/security-page.ts';

test.use({ external: true });

type Sql = (text: string, values?: unknown[]) => Promise<unknown>;

/** Makes the sessions of the user one hour older. */
const ageSessions = (sql: Sql, { id }: TestUser): Promise<unknown> =>
  sql(
    `update auth.sessions set created_at = created_at - interval '1 hour',
       reauthenticated_at = reauthenticated_at - interval '1 hour' where user_id = $1`,
    [id],
  );

const reauthentication = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" });
const appDialog = (page: Page) => page.getByRole('dialog', { name: 'Add authenticator app' });

/** Starts to add an authenticator app by keyboard. */
async function startAddApp(page: Page): Promise<void> {
  await section(page, secondFactorsTitle)
    .getByRole('button', { name: 'Add authenticator app' })
    .press('Enter');
  await expect(appDialog(page).getByLabel('Name')).toBeFocused();
  await pressEnter(page);
}

test('accepts the current password by keyboard, and Cancel changes nothing', async ({
  users,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const user = await users.create();
  await ageSessions(sql, user);
  const page = await openBrowser(user);
  await openSecurity(page);
  await startAddApp(page);
  const password = reauthentication(page).getByLabel('Current Password');
  await expect(password).toBeFocused();
  await pressEnter(page);
  await expectFieldError(password, 'Enter your current password');
  await password.fill('not this one');
  await pressEnter(page);
  await expectFieldError(password, 'This is not your current password');
  await reauthentication(page).getByRole('button', { name: 'Cancel' }).focus();
  await pressEnter(page);
  await expect(reauthentication(page)).toHaveCount(0);
  await expect(appDialog(page).getByText('Nothing was changed.')).toBeVisible();
  expect(await sql('select id from auth.mfa_factors where user_id = $1', [user.id])).toEqual([]);

  await expect(appDialog(page).getByLabel('Name')).toBeFocused();
  await pressEnter(page);
  await expect(password).toBeFocused();
  await password.fill(testPassword);
  await pressEnter(page);
  await expect(appDialog(page).getByRole('img')).toBeVisible();
});

test('closes without a change when the user leaves the dialog that sent it', async ({
  users,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const user = await users.create();
  await ageSessions(sql, user);
  const page = await openBrowser(user);
  await openSecurity(page);
  await startAddApp(page);
  await expect(reauthentication(page).getByLabel('Current Password')).toBeFocused();
  // Back closes one dialog at a time.
  await page.goBack();
  await expect(reauthentication(page)).toHaveCount(0);
  await page.goBack();
  await expect(appDialog(page)).toHaveCount(0);
  expect(await sql('select id from auth.mfa_factors where user_id = $1', [user.id])).toEqual([]);
});

test('accepts an emailed code from a user without a password', async ({
  users,
  openBrowser,
  instance,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  expectMessage(failedLoad(422));
  const user = await users.create();
  await sql('update auth.users set encrypted_password = null where id = $1', [user.id]);
  await sql(`update auth.identities set provider = 'apple' where user_id = $1`, [user.id]);
  await ageSessions(sql, user);
  const page = await openBrowser(user);
  await openSecurity(page);
  await startAddApp(page);
  await expect(reauthentication(page)).toContainText(user.email);
  await reauthentication(page).getByRole('button', { name: 'Send code' }).focus();
  await pressEnter(page);
  const code = reauthentication(page).getByLabel('Code from the email');
  await expect(code).toBeFocused();
  await expect(reauthentication(page).getByRole('button', { name: 'Use your current password' })).toHaveCount(
    0,
  );
  const sent = await emailedCode(instance, user.email);
  await code.fill(sent === '000000' ? '000001' : '000000');
  await pressEnter(page);
  await expectFieldError(code, 'This code is incorrect or has expired');
  await code.fill(sent);
  await pressEnter(page);
  await expect(appDialog(page).getByRole('img')).toBeVisible();
});

test('accepts a second factor and continues with the change', async ({
  users,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const user = await users.create();
  const page = await openBrowser(user);
  await openSecurity(page);
  const app = await addApp(page);
  await ageSessions(sql, user);
  await page.getByRole('button', { name: 'Remove Duty phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove second factor' }).click();
  await expect(reauthentication(page).getByLabel('Code')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(reauthentication(page)).toHaveCount(0);
  const factors = 'select id from auth.mfa_factors where user_id = $1';
  expect(await sql(factors, [user.id])).toHaveLength(1);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove second factor' }).click();
  await reauthentication(page).getByLabel('Code').fill(totpCode(app, 1));
  await pressEnter(page);
  await expect(section(page, secondFactorsTitle)).toContainText('No second factor yet');
});

test('removes the second factor of another administrator after reauthentication, and both receive an email', async ({
  users,
  instance,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const other = await users.create({ fullName: 'Lena Lost' });
  await enroll(instance, other);
  const administrator = await users.create();
  // For a day, an administrator cannot act on those who were there before.
  await sql(`update public.user_roles set created_at = now() - interval '2 days' where user_id = $1`, [
    administrator.id,
  ]);
  await ageSessions(sql, administrator);
  const page = await openBrowser(administrator);
  await openAdmins(page);
  const factors = 'select id from auth.mfa_factors where user_id = $1';
  const label = 'Remove second factor';
  const panel = await openPanel(page, other.email, other.fullName);
  const button = panel.getByRole('button', { name: label });
  await button.click();
  const confirmation = page.getByRole('alertdialog', { name: 'Remove the second factor of Lena Lost?' });
  await expect(confirmation).toContainText(
    `All second factors, passkeys and recovery codes of ${other.email} are removed`,
  );
  await confirmation.getByRole('button', { name: label }).click();
  const password = reauthentication(page).getByLabel('Current Password');
  await expect(password).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(confirmation).toHaveCount(0);
  await expect(toastWith(page, 'Error removing second factor')).toContainText('Nothing was changed.');
  await expect(panel).toBeVisible();
  await expect(button).toBeFocused();
  expect(await sql(factors, [other.id])).toHaveLength(1);

  await button.press('Enter');
  await confirmation.getByRole('button', { name: label }).press('Enter');
  await expect(password).toBeFocused();
  await password.fill(testPassword);
  await pressEnter(page);
  await expect(toastWith(page, 'Second factor removed')).toContainText('Lena Lost');
  await expect(button).toHaveCount(0);
  await expect(panel.getByRole('group', { name: 'Actions' })).toBeFocused();
  expect(await sql(factors, [other.id])).toEqual([]);
  await newSession(instance, other.email);
  const noticeTo = async ({ email }: TestUser) =>
    (await instance.mails()).find(
      ({ to, subject }) => to?.[0]?.address === email && /second factor .*was removed/.test(subject ?? ''),
    )?.text;
  // Only up to the @, because emails break up addresses to prevent automatic links.
  const localPart = ({ email }: TestUser) => email.replace(/@.*/, '');
  await expect.poll(() => noticeTo(other)).toContain(localPart(administrator));
  await expect.poll(() => noticeTo(administrator)).toContain(localPart(other));

  // The panel of the current administrator has no such button, also with a factor.
  await page.route(/\/functions\/v1\/invitation-history$/, async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as object;
    await route.fulfill({ response, json: { ...history, second_factor: true } });
  });
  await page.keyboard.press('Escape');
  const currentUserPanel = await openPanel(page, administrator.email, administrator.fullName);
  await expect(currentUserPanel.getByRole('region', { name: 'History' })).toContainText('Password set');
  await expect(currentUserPanel.getByRole('button', { name: label })).toHaveCount(0);
});
