/** The test email of the notifications screen. */
import { expect, test } from '../support/console-fixtures.ts';

test.use({ as: 'administrator' });

test('shows the response of the mail server to the test email', async ({ page, mailServer }) => {
  // The viewport ends below the button.
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.goto('/admin/notifications');
  const card = page.getByRole('region', { name: 'Email Delivery' });
  mailServer.behavior = { kind: 'reject message', code: 554 };
  await card.getByRole('button', { name: 'Send test email' }).click();
  await expect(card.getByRole('alert')).toContainText('not today');
  mailServer.behavior = { kind: 'accept' };
  await card.getByRole('button', { name: 'Send test email' }).click();
  await expect(card.getByRole('status')).toContainText('The mail server accepted the test email');
  await expect(card.getByRole('status')).toBeInViewport({ ratio: 1 });
});
