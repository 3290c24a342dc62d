/** The proof before a sensitive change: password, emailed code or second factor. On Postgres, so that a session can age. */
import type { Page } from '@playwright/test';
import { openAdmins } from '../support/admins-page.ts';
import { openPanel } from '../support/admins-panel.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { expectFieldError, pressEnter } from '../support/forms.ts';
import { emailedCode, newSession, type TestUser, secret } from '../support/users.ts';
import { enroll } from '../support/second-factor.ts';
import { addApp, totpCode, openSecurity, section, twoFactorTitle } from '../support/security-page.ts';

test.use({ external: true });

type Sql = (text: string, values?: unknown[]) => Promise<unknown>;

/** As if the user had signed in an hour ago. */
const age = (sql: Sql, { id }: TestUser): Promise<unknown> =>
  sql(
    `update auth.sessions set created_at = created_at - interval '1 hour',
       reauthenticated_at = reauthenticated_at - interval '1 hour' where user_id = $1`,
    [id],
  );

const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
const adding = (page: Page) => page.getByRole('dialog', { name: 'Add authenticator app' });

/** Begins to add an app, by keyboard. */
async function beginApp(page: Page): Promise<void> {
  await section(page, twoFactorTitle).getByRole('button', { name: 'Add authenticator app' }).press('Enter');
  await expect(adding(page).getByLabel('Name')).toBeFocused();
  await pressEnter(page);
}

test('the current password confirms a change, by keyboard; cancel changes nothing', async ({
  people,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const person = await people.make();
  await age(sql, person);
  const page = await openBrowser(person);
  await openSecurity(page);
  await beginApp(page);
  const password = proof(page).getByLabel('Current Password');
  await expect(password).toBeFocused();
  await pressEnter(page);
  await expectFieldError(password, 'Enter your current password');
  await password.fill('not this one');
  await pressEnter(page);
  await expectFieldError(password, 'This is not your current password');
  await proof(page).getByRole('button', { name: 'Cancel' }).focus();
  await pressEnter(page);
  await expect(proof(page)).toHaveCount(0);
  await expect(adding(page).getByText('Nothing was changed.')).toBeVisible();
  expect(await sql('select id from auth.mfa_factors where user_id = $1', [person.id])).toEqual([]);

  await expect(adding(page).getByLabel('Name')).toBeFocused();
  await pressEnter(page);
  await expect(password).toBeFocused();
  await password.fill(secret);
  await pressEnter(page);
  await expect(adding(page).getByRole('img')).toBeVisible();
});

test('a user without a password confirms by an emailed code', async ({
  people,
  openBrowser,
  product,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  expectMessage(failedLoad(422));
  const person = await people.make();
  await sql('update auth.users set encrypted_password = null where id = $1', [person.id]);
  await sql(`update auth.identities set provider = 'apple' where user_id = $1`, [person.id]);
  await age(sql, person);
  const page = await openBrowser(person);
  await openSecurity(page);
  await beginApp(page);
  await expect(proof(page)).toContainText(person.email);
  await proof(page).getByRole('button', { name: 'Send code' }).focus();
  await pressEnter(page);
  const code = proof(page).getByLabel('Code from the email');
  await expect(code).toBeFocused();
  const sent = await emailedCode(product, person.email);
  await code.fill(sent === '000000' ? '000001' : '000000');
  await pressEnter(page);
  await expectFieldError(code, 'This code is incorrect or has expired');
  await code.fill(sent);
  await pressEnter(page);
  await expect(adding(page).getByRole('img')).toBeVisible();
});

test('a user with a second step confirms by that, and the change follows', async ({
  people,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const person = await people.make();
  const page = await openBrowser(person);
  await openSecurity(page);
  const app = await addApp(page);
  await age(sql, person);
  await page.getByRole('button', { name: 'Remove Duty phone' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove second factor' }).click();
  await expect(proof(page).getByLabel('Code')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(proof(page)).toHaveCount(0);
  const factors = 'select id from auth.mfa_factors where user_id = $1';
  expect(await sql(factors, [person.id])).toHaveLength(1);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove second factor' }).click();
  await proof(page).getByLabel('Code').fill(totpCode(app, 1));
  await pressEnter(page);
  await expect(section(page, twoFactorTitle)).toContainText('No second factor yet');
});

test("an administrator removes another one's second factor in the panel, after a proof, and both get an email", async ({
  people,
  product,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const other = await people.make({ fullName: 'Lena Lost' });
  await enroll(product, other);
  const administrator = await people.make();
  await age(sql, administrator);
  const page = await openBrowser(administrator);
  await openAdmins(page);
  const factors = 'select id from auth.mfa_factors where user_id = $1';
  const label = 'Remove second factor';
  const panel = await openPanel(page, other.email, other.fullName);
  const button = panel.getByRole('button', { name: label });
  await button.click();
  const question = page.getByRole('alertdialog', { name: 'Remove the second factor of Lena Lost?' });
  await expect(question).toContainText(`All second factors and recovery codes of ${other.email} are removed`);
  await question.getByRole('button', { name: label }).click();
  const password = proof(page).getByLabel('Current Password');
  await expect(password).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  await expect(toastWith(page, 'The second factor was not removed')).toContainText('Nothing was changed.');
  await expect(panel).toBeVisible();
  await expect(button).toBeFocused();
  expect(await sql(factors, [other.id])).toHaveLength(1);

  await button.press('Enter');
  await question.getByRole('button', { name: label }).press('Enter');
  await expect(password).toBeFocused();
  await password.fill(secret);
  await pressEnter(page);
  await expect(toastWith(page, 'Second factor removed')).toContainText('Lena Lost');
  await expect(button).toHaveCount(0);
  await expect(panel.getByRole('group', { name: 'Actions' })).toBeFocused();
  expect(await sql(factors, [other.id])).toEqual([]);
  await newSession(product, other.email);
  const noticeTo = async ({ email }: TestUser) =>
    (await product.mails()).find(
      ({ to, subject }) => to?.[0]?.address === email && /second factor .*was removed/.test(subject ?? ''),
    )?.text;
  // Up to the @, where emails keep programs from making a link of the address.
  const nameOf = ({ email }: TestUser) => email.replace(/@.*/, '');
  await expect.poll(() => noticeTo(other)).toContain(nameOf(administrator));
  await expect.poll(() => noticeTo(administrator)).toContain(nameOf(other));

  // Not in the administrator's own panel, also with a factor.
  await page.route(/\/functions\/v1\/invitation-history$/, async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as object;
    await route.fulfill({ response, json: { ...history, second_factor: true } });
  });
  await page.keyboard.press('Escape');
  const own = await openPanel(page, administrator.email, administrator.fullName);
  await expect(own.getByRole('region', { name: 'History' })).toContainText('Password set');
  await expect(own.getByRole('button', { name: label })).toHaveCount(0);
});
