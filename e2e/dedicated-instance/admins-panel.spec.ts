/** The side panel of an invitation: history of mails, link, resend, revoke, remove and restore. */
import type { Locator, Page } from '@playwright/test';
import { startMailServer, type MailServer } from '../../apps/server/test/support/mail-server.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { runAction, openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, rowFor } from '../support/admins-page.ts';
import { requestsTo } from '../support/forms.ts';
import { unique } from '../support/api.ts';
import { startInstance } from '../support/instance.ts';

test.use({ as: 'administrator' });

const history = (panel: Locator): Locator => panel.getByRole('region', { name: 'History' });

/** 'Resend' where it would take a decision back: the question says so, and leaving it changes nothing. */
async function leaveResendQuestion(page: Page, panel: Locator, name: string, says: string): Promise<void> {
  const calls = requestsTo(page, /send-user-invitation/);
  await panel.getByRole('button', { name: 'Resend', exact: true }).click();
  const question = page.getByRole('alertdialog', { name: `Invite ${name} again?` });
  await expect(question).toContainText(says);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  expect(calls).toHaveLength(0);
}

test('[I33] an invitation is revoked from its panel, by name, its link dies, and Resend asks first', async ({
  page,
  people,
  product,
}) => {
  const email = `${unique('revoked')}@example.org`;
  await people.invite(email, 'Rita Revoked');
  await openAdmins(page);
  const panel = await openPanel(page, email, 'Rita Revoked');
  await expect(history(panel)).toContainText('Email kept in the local mailbox');
  await runAction(page, panel, 'Revoke invitation', 'Revoke invitation', 'Rita Revoked');
  await expect(toastWith(page, 'Invitation revoked')).toBeVisible();
  await expect(rowFor(page, email)).toContainText('revoked');
  await expect(panel.getByRole('button', { name: 'Revoke invitation' })).toHaveCount(0);

  await leaveResendQuestion(page, panel, 'Rita Revoked', 'was revoked');
  await expect(rowFor(page, email)).toContainText('revoked');
  await runAction(page, panel, 'Resend', 'Send invitation', 'Rita Revoked');
  await expect(toastWith(page, 'Email resent!')).toBeVisible();
  await expect(rowFor(page, email)).toContainText('pending');
  await product.mailTo(email, 1);
});

test('a removed administrator is out of an open tab within a second, and restored signs in again', async ({
  page,
  people,
  openBrowser,
  expectMessage,
}) => {
  const person = await people.make({ fullName: 'Remy Removed' });
  const theirs = await openBrowser(person);
  await openAdmins(theirs);
  await openAdmins(page);
  const panel = await openPanel(page, person.email, 'Remy Removed');
  await expect(history(panel)).toContainText('Password set');
  await runAction(page, panel, 'Remove administrator', 'Remove administrator', 'Remy Removed');
  await expect(toastWith(page, 'Administrator removed')).toBeVisible();
  await expect(rowFor(page, person.email)).toContainText('removed');

  // Whatever they do next is refused, and the tab says so where they can read it. Coming back to it is enough.
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  await theirs.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(theirs).toHaveURL(/\/auth(\?|$)/);
  await expect(toastWith(theirs, 'Your session has ended')).toBeVisible();

  await leaveResendQuestion(page, panel, 'Remy Removed', 'They were removed as an administrator');
  await runAction(page, panel, 'Restore', 'Restore administrator', 'Remy Removed');
  await expect(toastWith(page, 'Administrator restored')).toBeVisible();
  await expect(rowFor(page, person.email)).toContainText('accepted');
});

test('a removed administrator is out of a tab that nobody touches, too', async ({
  people,
  openBrowser,
  expectMessage,
}) => {
  const person = await people.make({ fullName: 'Ida Idle' });
  const theirs = await openBrowser(person);
  const waits = theirs.waitForRequest(/session-watch/);
  await openAdmins(theirs);
  for (const status of [400, 401, 403]) expectMessage(failedLoad(status));
  await waits;
  await people.remove(person.email);
  await expect(theirs).toHaveURL(/\/auth(\?|$)/);
  await expect(theirs.getByText(person.email)).toHaveCount(0);
});

const withMailServer = test.extend<object, { mailServer: MailServer }>({
  mailServer: [
    async ({ browser: _browser }, use) => {
      const server = await startMailServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ mailServer }, use) => {
      const product = await startInstance({ environment: { RATE_LIMITS: 'off', SMTP_URL: mailServer.url } });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

withMailServer.describe('with a mail server', () => {
  withMailServer(
    'refused mail: specified toast, the words in the history, a link to copy; then sent again, with a countdown',
    async ({ page, mailServer }) => {
      const email = `${unique('refused')}@example.org`;
      mailServer.mood = { kind: 'refuse message', code: 554 };
      await openAdmins(page);
      const form = await fillInvitation(page, 'Frida Failed', email);
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      const created = toastWith(page, 'User Created Successfully');
      await expect(created).toBeVisible();
      // It stays until dismissed, over the panel's lower end.
      await created.getByRole('button').click();
      const panel = await openPanel(page, email, 'Frida Failed');
      await expect(history(panel)).toContainText('Email refused');
      await expect(history(panel)).toContainText('not today');

      await panel.getByRole('button', { name: 'Create link' }).click();
      await expect(panel.getByLabel('Invitation link')).toHaveValue(
        /\/auth\/callback\?setup=true&token_hash=/,
      );

      mailServer.mood = { kind: 'take' };
      const resend = panel.getByRole('button', { name: 'Resend', exact: true });
      await resend.click();
      await expect(toastWith(page, 'Email resent!')).toBeVisible();
      await expect(history(panel)).toContainText('Email accepted by the mail server');
      await expect(panel.getByRole('button', { name: 'Create link' })).toHaveCount(0);
      await expect(panel.getByLabel('Invitation link')).toHaveCount(0);
      await resend.click();
      await expect(panel.getByText(/^Again in \d+ s$/)).toBeVisible();
      await expect(resend).toBeDisabled();
    },
  );

  withMailServer(
    'unsent invitations are named in the list, and sent again together; what fails again says why',
    async ({ page, mailServer }) => {
      const names = ['Una Unsent', 'Ulf Unsent'];
      const emails = names.map((name) => `${unique(name.slice(0, 3).toLowerCase())}@example.org`);
      mailServer.mood = { kind: 'refuse message', code: 554 };
      await openAdmins(page);
      for (const [index, name] of names.entries()) {
        const form = await fillInvitation(page, name, emails[index] ?? '');
        await form.getByRole('button', { name: 'Send Invitation' }).click();
        const created = toastWith(page, 'User Created Successfully');
        await created.getByRole('button').click();
        await expect(created).toHaveCount(0);
      }
      for (const email of emails)
        await expect(rowFor(page, email)).toContainText(/Email not sent \(.*not today/);
      await expect(page.getByText('2 invitations were not sent.')).toBeVisible();

      const resendAll = page.getByRole('button', { name: 'Resend all unsent' });
      await resendAll.click();
      await expect(page.getByText('0 of 2 sent. 2 invitations were not sent.')).toBeVisible();
      mailServer.mood = { kind: 'take' };
      await resendAll.click();
      await expect(page.getByText('2 of 2 sent.', { exact: true })).toBeVisible();
      for (const email of emails) await expect(rowFor(page, email)).toContainText('Email sent');
      await expect(resendAll).toHaveCount(0);
    },
  );

  withMailServer("the test email tells the mail server's words", async ({ page, mailServer }) => {
    // The button is the last thing in view.
    await page.setViewportSize({ width: 1280, height: 760 });
    await page.goto('/admin/notifications');
    const card = page
      .getByRole('region', { name: 'Email Delivery' })
      .or(page.locator('[aria-labelledby=email-delivery]'));
    mailServer.mood = { kind: 'refuse message', code: 554 };
    await card.getByRole('button', { name: 'Send test email' }).click();
    await expect(card.getByRole('alert')).toContainText('not today');
    mailServer.mood = { kind: 'take' };
    await card.getByRole('button', { name: 'Send test email' }).click();
    await expect(card.getByRole('status')).toContainText('The mail server took the test email');
    await expect(card.getByRole('status')).toBeInViewport({ ratio: 1 });
  });
});
