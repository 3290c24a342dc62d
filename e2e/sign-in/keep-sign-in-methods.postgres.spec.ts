/** Choice of the sign-in methods to keep after a password reset. Uses Postgres, so that SQL can add methods. */
import type { Page } from '@playwright/test';
import { respondWith, expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { passwordField, pressEnter, requestsTo } from '../support/forms.ts';
import { emailedLink, type TestUser } from '../support/users.ts';
import { requestOk } from '../support/api.ts';
import type { Instance } from '../support/instance.ts';

test.use({ external: true });

type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

const newPassword = 'a new lantern 9';
const formTitle = 'Set Your Password';
const stepTitle = 'Keep these sign-in methods?';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

/** Adds a passkey and an identity. */
async function addMethods(sql: Sql, { id, email }: TestUser): Promise<void> {
  await sql(
    `insert into auth.webauthn_credentials (user_id, credential_id, public_key, friendly_name, created_at)
       values ($1, $2, '\\x00', 'Station laptop', now() - interval '2 days')`,
    [id, id],
  );
  await sql(
    `insert into auth.identities (user_id, provider, provider_id, identity_data, last_sign_in_at)
       values ($1, 'google', $2, $3, now())`,
    [id, id, JSON.stringify({ email: `other.${email}` })],
  );
}

const listMethods = async (sql: Sql, { id }: TestUser): Promise<unknown[]> =>
  (
    await sql(
      `select friendly_name as name from auth.webauthn_credentials where user_id = $1
         union all select provider from auth.identities where user_id = $1 and provider <> 'email'`,
      [id],
    )
  ).map(({ name }) => name);

async function openReset(page: Page, instance: Instance, { email }: TestUser): Promise<void> {
  await requestOk(instance, '/auth/v1/recover', { body: { email } });
  const link = await emailedLink(instance, email, 'recovery');
  await page.goto(link.pathname + link.search);
  await expect(passwordField(page)).toBeFocused();
}

test('keeps the selected methods, by keyboard, and removes the others', async ({
  page,
  users,
  instance,
  sql,
  expectMessage,
}) => {
  expectMessage(failedLoad(500));
  const user = await users.create();
  await addMethods(sql, user);
  await openReset(page, instance, user);
  const changes = requestsTo(page, /\/auth\/v1\/user$/, 'PUT');
  await page.keyboard.type(newPassword);
  await page.getByLabel('Confirm Password').focus();
  await page.keyboard.type(newPassword);
  await pressEnter(page);

  await expect(heading(page, stepTitle)).toBeFocused();
  await expect(heading(page, formTitle)).toBeHidden();
  const options = page.getByRole('checkbox');
  await expect(options).toHaveCount(2);
  const passkey = page.getByRole('checkbox', { name: 'Station laptop', exact: true });
  const google = page.getByRole('checkbox', { name: `google: other.${user.email}`, exact: true });
  await expect(passkey).toHaveAccessibleDescription(/^Passkey · added .+ · never used$/);
  await expect(google).toHaveAccessibleDescription(/^Linked account · added .+ · last used .+$/);
  for (const option of [passkey, google]) await expect(option).not.toBeChecked();
  await expect(page.getByText('The others are removed.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Set password, remove 2 methods' })).toBeVisible();
  expect(changes).toHaveLength(0);

  await page.getByRole('button', { name: 'Back', exact: true }).focus();
  await pressEnter(page);
  await expect(heading(page, formTitle)).toBeVisible();
  await expect(passwordField(page)).toBeFocused();
  await expect(passwordField(page)).toHaveValue(newPassword);
  await expect(page.getByLabel('Confirm Password')).toHaveValue(newPassword);
  await pressEnter(page);

  await expect(heading(page, stepTitle)).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(passkey).toBeFocused();
  await page.keyboard.press('Space');
  await expect(passkey).toBeChecked();
  await respondWith(page, /\/auth\/v1\/user$/, 500, { code: 'unexpected_failure', message: 'down' }, 'PUT');
  await pressEnter(page);
  await expect(toastWith(page, 'Error setting password')).toContainText('down');
  await expect(heading(page, stepTitle)).toBeVisible();
  await expect(passkey).toBeChecked();
  await expect(google).not.toBeChecked();
  expect(await listMethods(sql, user)).toEqual(['Station laptop', 'google']);

  await page.unroute(/\/auth\/v1\/user$/);
  await page.getByRole('button', { name: 'Set password, remove 1 linked account', exact: true }).focus();
  await pressEnter(page);
  await expect(page).toHaveURL(/\/admin\/accounts$/);
  await expect(toastWith(page, 'Password set successfully')).toBeVisible();
  expect(await listMethods(sql, user)).toEqual(['Station laptop']);
  const body = { email: user.email, password: newPassword };
  await requestOk(instance, '/auth/v1/token?grant_type=password', { body });
});

test('keeps all methods without a choice in a session that was not created from a link', async ({
  users,
  openBrowser,
  sql,
}) => {
  const user = await users.create();
  await addMethods(sql, user);
  const page = await openBrowser(user);
  await page.goto('/auth/set-password?setup=true');
  await passwordField(page).fill(newPassword);
  await page.getByLabel('Confirm Password').fill(newPassword);
  await page.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(page).toHaveURL(/\/admin\/accounts$/);
  expect(await listMethods(sql, user)).toEqual(['Station laptop', 'google']);
});
