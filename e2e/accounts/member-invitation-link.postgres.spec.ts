/**
 * The link of the invitation of a member, on an instance without a mail server. Uses Postgres, so that SQL can make a session
 * older.
 */
import type { Locator, Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { openAccounts, panel, rowFor } from '../support/accounts-page.ts';
import { account, insertRows, requestOk, unique } from '../support/api.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { pressEnter } from '../support/forms.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import type { Instance } from '../support/instance.ts';
import { testPassword, type TestUser } from '../support/users.ts';

test.use({ external: true, localMailbox: true });

/** Creates an account with an invitation of Nina New. @returns the name of the account */
async function inviteNina(instance: Instance, { session }: TestUser): Promise<string> {
  const name = `${unique('shared')} Patrol`;
  const [row] = await insertRows(instance, 'accounts', [account(name)]);
  await requestOk(instance, '/functions/v1/invite-account-member', {
    body: {
      account_id: String(row?.['id']),
      email: `${unique('nina')}@example.org`,
      full_name: 'Nina New',
    },
    token: session.access_token,
  });
  return name;
}

async function openPanel(page: Page, name: string): Promise<Locator> {
  await openAccounts(page, `?q=${encodeURIComponent(name)}`);
  await rowFor(page, name).getByRole('link').focus();
  await page.keyboard.press('Enter');
  const opened = panel(page, name);
  await expect(opened.getByRole('list', { name: 'Invited' }).getByRole('listitem')).toHaveCount(1);
  return opened;
}

const createButton = (opened: Locator): Locator =>
  opened.getByRole('button', { name: 'Create link Nina New' });
const linkGroup = (opened: Locator): Locator => opened.getByRole('group', { name: 'Link of Nina New' });

test('creates and copies a link by keyboard, which makes the invited person a member', async ({
  users,
  instance,
  openBrowser,
}) => {
  const administrator = await users.create();
  const name = await inviteNina(instance, administrator);
  const page = await openBrowser(administrator);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const opened = await openPanel(page, name);
  await expect(opened.getByText('Email saved in the local mailbox, not sent')).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await createButton(opened).focus();
  await pressEnter(page);
  const group = linkGroup(opened);
  await expect(group.getByRole('button', { name: 'Copy invitation link' })).toBeFocused();
  await expect(createButton(opened)).toHaveCount(0);
  await expect(group).toContainText(
    'Anyone who opens it can set the password of Nina New and become a member.',
  );
  const link = await group.getByLabel('Invitation link').inputValue();
  expect(link).toMatch(/\/auth\/callback\?setup=true&member=true&token_hash=/);
  await expect(group.getByLabel('Invitation link')).toHaveAccessibleDescription(/^Expires .+ \d{4}/);
  await pressEnter(page);
  await expect(group.getByRole('button', { name: 'Copied!' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await horizontalOverflow(page)).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOn(page)).toEqual([]);
    }
  }

  const nina = await openBrowser(null);
  await nina.goto(link.replace(/^https?:\/\/[^/]+/, instance.url));
  await nina.getByLabel('Password', { exact: true }).fill('a new lantern 9');
  await nina.getByLabel('Confirm Password', { exact: true }).fill('a new lantern 9');
  await nina.keyboard.press('Enter');
  await expect(nina.getByRole('heading', { name: `You are a member of ${name}` })).toBeVisible();

  // The panel was opened before the acceptance. It does not keep the link.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  await expect(opened.getByRole('list', { name: 'Members of the account' })).toContainText('Nina New');
  await expect(opened.getByRole('list', { name: 'Invited' })).toHaveCount(0);
  await opened.getByRole('tab', { name: /Activity/ }).click();
  await expect(opened.getByText('created an invitation link for')).toBeVisible();
});

test('confirms the user if the session is not fresh, and Cancel creates no link', async ({
  users,
  instance,
  openBrowser,
  expectMessage,
  sql,
}) => {
  expectMessage(failedLoad(400));
  const administrator = await users.create();
  const name = await inviteNina(instance, administrator);
  await sql(
    `update auth.sessions set created_at = created_at - interval '1 hour',
       reauthenticated_at = reauthenticated_at - interval '1 hour' where user_id = $1`,
    [administrator.id],
  );
  const page = await openBrowser(administrator);
  const opened = await openPanel(page, name);
  const links = `select token_hash from private.member_invitation_tokens t join private.member_invitations i
    on i.id = t.invitation_id join public.accounts a on a.id = i.account_id where a.name = $1`;
  expect(await sql(links, [name])).toHaveLength(1);
  const confirmation = page.getByRole('dialog', { name: "Confirm it's you" });
  await createButton(opened).focus();
  await pressEnter(page);
  await expect(confirmation.getByLabel('Current Password')).toBeFocused();
  expect(await violationsOn(page)).toEqual([]);
  await confirmation.getByRole('button', { name: 'Cancel' }).focus();
  await pressEnter(page);
  await expect(confirmation).toHaveCount(0);
  await expect(toastWith(page, 'Error creating link')).toContainText('Nothing was changed.');
  await expect(createButton(opened)).toBeFocused();
  await expect(linkGroup(opened)).toHaveCount(0);
  expect(await sql(links, [name])).toHaveLength(1);

  await pressEnter(page);
  await confirmation.getByLabel('Current Password').fill(testPassword);
  await pressEnter(page);
  await expect(linkGroup(opened).getByRole('button', { name: 'Copy invitation link' })).toBeFocused();
  expect(await sql(links, [name])).toHaveLength(2);
});
