/** The list of invitations whose email was not sent. */
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { fillInvitation, openAdmins, rowFor } from '../support/admins-page.ts';
import { unique } from '../support/api.ts';

test.use({ as: 'administrator', dedicatedInstance: 'unsent invitations' });

test('lists unsent invitations with their errors and resends them together', async ({ page, mailServer }) => {
  const names = ['Una Unsent', 'Ulf Unsent'];
  const emails = names.map((name) => `${unique(name.slice(0, 3).toLowerCase())}@example.org`);
  mailServer.behavior = { kind: 'reject message', code: 554 };
  await openAdmins(page);
  for (const [index, name] of names.entries()) {
    const form = await fillInvitation(page, name, emails[index] ?? '');
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    const created = toastWith(page, 'User Created Successfully');
    await created.getByRole('button').click();
    await expect(created).toHaveCount(0);
  }
  for (const email of emails) await expect(rowFor(page, email)).toContainText(/Email not sent \(.*not today/);
  await expect(page.getByText('2 invitation emails were not confirmed as sent.')).toBeVisible();

  const resendAll = page.getByRole('button', { name: 'Resend all unsent' });
  const { release } = await holdRequests(page, /unsent-invitations/);
  await resendAll.click();
  await expect(page.getByText('0 of 2 sent. 2 invitation emails were not confirmed as sent.')).toBeVisible();
  // Before the list is read again, a click would send nothing.
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  release();
  mailServer.behavior = { kind: 'accept' };
  const sending = await holdRequests(page, /send-user-invitation/);
  await resendAll.click();
  await expect(page.getByText('Sending 1 of 2...')).toBeVisible();
  await page.getByRole('link', { name: 'Logs' }).click();
  const confirmation = page.getByRole('alertdialog', { name: 'Stop now?' });
  await confirmation.getByRole('button', { name: 'Continue' }).click();
  sending.release();
  await expect(page.getByText('2 of 2 sent.', { exact: true })).toBeVisible();
  for (const email of emails) await expect(rowFor(page, email)).toContainText('Email sent');
  await expect(resendAll).toHaveCount(0);
});
