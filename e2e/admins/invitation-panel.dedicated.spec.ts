/** Panel of an invitation: email history, link, resend, revoke, remove and restore. */
import type { Locator, Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { runAction, openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, rowFor } from '../support/admins-page.ts';
import { requestsTo } from '../support/forms.ts';
import { expectFocusIn } from '../support/focus.ts';
import { unique } from '../support/api.ts';
import { acceptLink } from '../support/users.ts';

test.use({ as: 'administrator' });

const history = (panel: Locator): Locator => panel.getByRole('region', { name: 'History' });

/** Clicks Resend where it reverts a decision, checks the confirmation dialog and cancels it. */
async function cancelResend(
  page: Page,
  panel: Locator,
  name: string,
  { button = 'Resend', text }: { button?: string; text: string },
): Promise<void> {
  const calls = requestsTo(page, /send-user-invitation/);
  await panel.getByRole('button', { name: button, exact: true }).click();
  const confirmation = page.getByRole('alertdialog', { name: `Invite ${name} again?` });
  await expect(confirmation).toContainText(text);
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toHaveCount(0);
  expect(calls).toHaveLength(0);
}

test(
  'revokes an invitation by name and requires a confirmation to resend it',
  { tag: '@I33' },
  async ({ page, users, instance }) => {
    const email = `${unique('revoked')}@example.org`;
    await users.invite(email, 'Rita Revoked');
    await openAdmins(page);
    const panel = await openPanel(page, email, 'Rita Revoked');
    await expect(history(panel)).toContainText('Email accepted by the mail server');
    await runAction(page, panel, 'Revoke invitation', 'Revoke invitation', 'Rita Revoked');
    await expect(toastWith(page, 'Invitation revoked')).toBeVisible();
    await expect(rowFor(page, email)).toContainText('revoked');
    await expect(panel.getByRole('button', { name: 'Revoke invitation' })).toHaveCount(0);
    await expectFocusIn(panel);

    await cancelResend(page, panel, 'Rita Revoked', { text: 'was revoked' });
    await expect(rowFor(page, email)).toContainText('revoked');
    await runAction(page, panel, 'Resend', 'Send invitation', 'Rita Revoked');
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    await expect(rowFor(page, email)).toContainText('pending');
    await instance.mailTo(email, 1);
  },
);

test('signs a removed administrator out of an open tab, and restores the administrator', async ({
  page,
  users,
  openBrowser,
  expectMessage,
}) => {
  const user = await users.create({ fullName: 'Remy Removed' });
  const otherPage = await openBrowser(user);
  await openAdmins(otherPage);
  await openAdmins(page);
  const panel = await openPanel(page, user.email, 'Remy Removed');
  await expect(history(panel)).toContainText('Password set');
  await runAction(page, panel, 'Remove administrator', 'Remove administrator', 'Remy Removed');
  await expect(toastWith(page, 'Administrator removed')).toBeVisible();
  await expect(rowFor(page, user.email)).toContainText('removed');
  const { fullName } = await users.administrator();
  await expect(history(panel).getByRole('listitem').first()).toContainText('Administrator removed');
  await expect(history(panel).getByRole('listitem').first()).toContainText(`By ${fullName}`);
  expect(await violationsOn(page)).toEqual([]);
  await expect(panel.getByRole('region', { name: 'Sessions' })).toHaveCount(0);

  // A return to the tab checks the session and redirects to the sign-in form.
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  // The session watch can redirect first, which ends this script.
  await otherPage.evaluate(() => dispatchEvent(new Event('focus'))).catch(() => {});
  await expect(otherPage).toHaveURL(/\/auth(\?|$)/);
  await expect(toastWith(otherPage, 'Your session has ended')).toBeVisible();

  const text = 'This administrator was removed';
  await cancelResend(page, panel, 'Remy Removed', { button: 'Invite again', text });
  await runAction(page, panel, 'Restore', 'Restore administrator', 'Remy Removed');
  await expect(toastWith(page, 'Administrator restored')).toBeVisible();
  await expect(history(panel).getByRole('listitem').first()).toContainText('Administrator restored');
  await expect(rowFor(page, user.email)).toContainText('accepted');
});

test('shows an acceptance in the list as soon as the panel shows it', async ({ page, users, instance }) => {
  const email = `${unique('accepts')}@example.org`;
  const tokenHash = await users.invite(email, 'Ada Accepts');
  await openAdmins(page);
  await expect(rowFor(page, email)).toContainText('pending');
  await acceptLink(instance, tokenHash);
  const panel = await openPanel(page, email, 'Ada Accepts');
  await expect(history(panel)).toContainText('Password set');
  await expect(rowFor(page, email)).toContainText('accepted');
  await expect(panel.getByRole('button', { name: 'Revoke invitation' })).toHaveCount(0);
});

test('shows an acceptance, and what another administrator does, in an open panel', async ({
  page,
  users,
  instance,
  expectMessage,
}) => {
  // The panel can read the details before the list says that the administrator was removed.
  expectMessage(failedLoad(404));
  const email = `${unique('live')}@example.org`;
  const tokenHash = await users.invite(email, 'Lia Live');
  await openAdmins(page);
  const panel = await openPanel(page, email, 'Lia Live');
  await expect(history(panel)).toContainText('Email accepted by the mail server');
  await acceptLink(instance, tokenHash);
  await expect(history(panel)).toContainText('Password set', { timeout: 25_000 });
  await expect(rowFor(page, email)).toContainText('accepted');
  expect(await instance.command('admins', 'remove', email)).toMatchObject({ code: 0 });
  await expect(rowFor(page, email)).toContainText('removed', { timeout: 25_000 });
  await expect(panel.getByRole('button', { name: 'Restore' })).toBeVisible();
});

test('shows a rejected email in toast and history, offers a link, and resends with a countdown', async ({
  page,
  mailServer,
}) => {
  const email = `${unique('rejected')}@example.org`;
  mailServer.behavior = { kind: 'reject message', code: 554 };
  await openAdmins(page);
  const form = await fillInvitation(page, 'Frida Failed', email);
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  const created = toastWith(page, 'User Created Successfully');
  await expect(created).toBeVisible();
  // The persistent toast covers the lower end of the panel.
  await created.getByRole('button').click();
  const panel = await openPanel(page, email, 'Frida Failed');
  await expect(history(panel)).toContainText('Email not sent');
  await expect(history(panel)).toContainText('not today');

  await panel.getByRole('button', { name: 'Create link' }).click();
  await expect(panel.getByLabel('Invitation link')).toHaveValue(/\/auth\/callback\?setup=true&token_hash=/);
  await expect(history(panel).getByRole('listitem').first()).toContainText('Link created to share');

  mailServer.behavior = { kind: 'accept' };
  const resend = panel.getByRole('button', { name: 'Resend', exact: true });
  await resend.click();
  await expect(toastWith(page, 'Email resent!')).toBeVisible();
  await expect(history(panel)).toContainText('Email accepted by the mail server');
  await expect(panel.getByRole('button', { name: 'Create link' })).toHaveCount(0);
  await expect(panel.getByLabel('Invitation link')).toHaveCount(0);
  await resend.click();
  await expect(panel.getByText(/^You can resend in \d+ s$/)).toBeVisible();
  await expect(resend).toBeDisabled();
});
