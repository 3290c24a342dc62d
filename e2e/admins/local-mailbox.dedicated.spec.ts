/** An instance without a mail server: no text may say that an email was sent. */
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { violationsOn } from '../support/accessibility.ts';
import { openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, rowFor } from '../support/admins-page.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';

test.use({ as: 'administrator', localMailbox: true });

const screens = [
  '/admin/platform-admins',
  '/admin/platform-admins/invite-list',
  '/admin/notifications',
] as const;

test('says on each screen that emails are not sent, and leads to the mailbox', async ({ page }) => {
  for (const path of screens) {
    await page.goto(path);
    const notice = page.getByRole('note').filter({ hasText: 'No mail server is set up' });
    await expect(notice).toContainText('are not sent');
    await expect(notice.getByRole('link', { name: 'Open the local mailbox' })).toHaveAttribute(
      'href',
      '/mailbox',
    );
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await horizontalOverflow(page)).toBe(0);
      expect(await violationsOn(page)).toEqual([]);
    }
  }
});

test('says that an invitation was saved, and offers its link to share', async ({ page, instance }) => {
  const email = `${unique('saved')}@example.org`;
  await openAdmins(page);
  const form = await fillInvitation(page, 'Sam Saved', email);
  await expect(form).toContainText('The invitation is saved, and its email is not sent.');
  await form.getByRole('button', { name: 'Send Invitation' }).click();
  const saved = toastWith(page, 'Invitation saved, not sent');
  await expect(saved).toContainText(`The email to ${email} is in the local mailbox.`);
  await expect(toastWith(page, 'Invitation sent!')).toHaveCount(0);
  await instance.mailTo(email);
  await rowFor(page, email).getByRole('button', { name: 'Resend', exact: true }).click();
  await expect(toastWith(page, 'Email saved, not sent')).toContainText(email);

  const panel = await openPanel(page, email, 'Sam Saved');
  await expect(panel.getByText('Email saved in the local mailbox, not sent')).toHaveCount(2);
  await panel.getByRole('button', { name: 'Create link' }).click();
  await expect(panel.getByLabel('Invitation link')).toHaveValue(/token_hash=/);
  await page.goto('/admin/handover');
  await expect(page.getByText('Sam Saved')).not.toHaveCount(0);
  await expect(page.getByText('Invitation sent to')).toHaveCount(0);
});

test('counts the saved emails of a list as not sent', async ({ page }) => {
  const email = `${unique('listed')}@example.org`;
  await page.goto('/admin/platform-admins/invite-list');
  await page.getByLabel('Or paste rows').fill(`email,full name\n${email},Lea Listed\n`);
  await page.getByRole('button', { name: 'Use pasted rows' }).click();
  await page.getByRole('button', { name: 'Check rows' }).click();
  await page.getByRole('button', { name: 'Invite 1 person' }).click();
  await expect(page.getByText('1 saved, not sent')).toBeVisible();
  await expect(page.getByText('Invited, email saved, not sent')).toBeVisible();
});

test('says where the emails of a member and of a code are', async ({ page, instance, expectMessage }) => {
  // The response to an unknown address.
  expectMessage(failedLoad(404));
  const name = unique('Mailless');
  await insertRows(instance, 'accounts', [account(name)]);
  await page.goto('/admin/accounts');
  await page.getByRole('link', { name, exact: true }).click();
  const panel = page.getByRole('dialog', { name });
  await panel.getByLabel("Member's email").fill(`${unique('member')}@example.org`);
  await panel.getByRole('button', { name: 'Add member' }).click();
  const dialog = page.getByRole('dialog', { name: /^Invite / });
  await expect(dialog).toContainText('This person cannot sign in yet. No mail server is set up');
  expect(await violationsOn(page)).toEqual([]);
  await page.goto('/admin/me/security');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('button', { name: 'Forgot your password? Get a code by email' }).click();
  await expect(page.getByLabel('Code from the email')).toHaveAccessibleDescription(
    /No mail server is set up: ask the operator/,
  );
});

test('says once that the test email was saved', async ({ page }) => {
  await page.goto('/admin/notifications');
  await page.getByRole('button', { name: 'Send test email' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The test email' })).toHaveText(
    'No mail server is set up. The test email was saved in the local mailbox and was not sent.',
  );
});

test('says before a password reset that the email is saved', async ({ openBrowser }) => {
  const page = await openBrowser(null);
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Forgot password?' }).click();
  await expect(page.getByText('Emails are saved in the local mailbox of the service')).toBeVisible();
  await expect(page.getByText('We will email you')).toHaveCount(0);
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await violationsOn(page)).toEqual([]);
  }
  await page.getByLabel('Email').fill(`${unique('nobody')}@example.org`);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(toastWith(page, 'Password reset email sent')).toBeVisible();
});
