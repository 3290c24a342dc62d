/** Whoever presses twice meant once: one request, one message, and nothing that lay beneath opens. */
import type { Locator, Page } from '@playwright/test';
import { expect, test, toastWith } from './support/console-fixtures.ts';
import { openDialog, openAccounts } from './support/accounts-page.ts';
import { openPanel } from './support/admins-panel.ts';
import { fillInvitation, openAdmins, resend } from './support/admins-page.ts';
import { emailField, passwordField, requestsTo } from './support/forms.ts';
import { secret } from './support/users.ts';
import { unique } from './support/api.ts';

/** As slow as people's double clicks are: the answer to the first press is there before the second one. */
const pause = 180;

/** Of a button in a question, which reaches beyond a panel beneath on a narrow screen. */
const leftEdge = { x: 8, y: 12 };

/** What a second press would start has started when two pictures have been drawn. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

async function doubleClick(page: Page, button: Locator): Promise<void> {
  // Waits until it stands still, and leaves the pointer over it.
  await button.hover({ position: leftEdge });
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount });
    await page.mouse.up({ clickCount });
    await page.waitForTimeout(pause);
  }
  await settle(page);
}

async function doubleEnter(page: Page): Promise<void> {
  const enter = () => page.keyboard.press('Enter');
  const first = enter();
  // Keys carry no count of presses, only their time: a busy page must not stretch it, so nothing is awaited.
  await page.waitForTimeout(pause / 4);
  await Promise.all([first, enter()]);
  await settle(page);
}

async function doubleTap(page: Page, button: Locator): Promise<void> {
  await button.hover({ position: leftEdge });
  const box = await button.boundingBox();
  if (!box) throw new Error('Nothing to tap on');
  const tap = () => page.touchscreen.tap(box.x + leftEdge.x, box.y + leftEdge.y);
  // Not waited for: a busy page must not stretch the time between.
  const first = tap();
  await page.waitForTimeout(pause);
  await Promise.all([first, tap()]);
  await settle(page);
}

const functionCalls = (page: Page, name: string) =>
  requestsTo(page, new RegExp(`/functions/v1/${name}`), 'POST');

test.describe('an administrator', () => {
  test.use({ as: 'administrator' });

  test('X05 [I22] saves settings and sends a test mail once', async ({ page }) => {
    await page.goto('/admin/notifications');
    const name = page.getByLabel('Sender Name');
    await page.getByLabel('Sender Email Address').fill('alerts@example.org');
    await name.fill(unique('sender'));
    const posts = requestsTo(page, /\/rest\/v1\/notification_settings/, 'POST');
    const patches = requestsTo(page, /\/rest\/v1\/notification_settings/, 'PATCH');
    const saved = toastWith(page, 'Settings saved');
    await doubleClick(page, page.getByRole('button', { name: 'Save Settings' }));
    await expect(saved).toHaveCount(1);
    expect(posts.length + patches.length).toBe(1);
    await name.fill(unique('sender'));
    await doubleEnter(page);
    await expect.poll(() => posts.length + patches.length).toBe(2);
    await expect(page.getByRole('button', { name: 'Save Settings' })).toBeEnabled();
    expect(posts.length + patches.length).toBe(2);
    // The same message again is renewed, not stacked upon itself.
    await expect(saved).toHaveCount(1);

    const mails = functionCalls(page, 'send-test-mail');
    await doubleClick(page, page.getByRole('button', { name: 'Send test email' }));
    await expect.poll(() => mails.length).toBe(1);
    await expect(page.getByRole('button', { name: 'Send test email' })).toBeEnabled();
    expect(mails).toHaveLength(1);
    // A press later on is a new one.
    await page.getByRole('button', { name: 'Send test email' }).click();
    await expect.poll(() => mails.length).toBe(2);
    await expect(page.getByRole('status').filter({ hasText: 'kept in the mailbox, not sent' })).toBeVisible();
  });

  test('X05 [I22] creates one account, and the list beneath stays as it is', async ({ page }) => {
    await openAccounts(page);
    const posts = requestsTo(page, /\/rest\/v1\/accounts(\?|$)/, 'POST');
    for (const pressTwice of [
      (form: Locator) => doubleClick(page, form.getByRole('button', { name: 'Create Account' })),
      async (form: Locator) => {
        await form.getByLabel('Account Name').focus();
        await doubleEnter(page);
      },
    ]) {
      const before = posts.length;
      const form = await openDialog(page);
      const name = unique('once');
      await form.getByLabel('Account Name').fill(name);
      await form.getByLabel('Type').selectOption('organization');
      await pressTwice(form);
      await expect(toastWith(page, 'Account created').filter({ hasText: name })).toHaveCount(1);
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(page).toHaveURL(/\/admin\/accounts$/);
      expect(posts).toHaveLength(before + 1);
    }
  });

  test('X05 [I22] invites, sends again and revokes once', async ({ page }) => {
    const email = `${unique('pressed')}@example.org`;
    await openAdmins(page);
    const sent = functionCalls(page, 'send-user-invitation');
    const form = await fillInvitation(page, 'Robin Twice', email);
    await doubleClick(page, form.getByRole('button', { name: 'Send Invitation' }));
    await expect(toastWith(page, 'Invitation sent!')).toHaveCount(1);
    expect(sent).toHaveLength(1);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await doubleClick(page, resend(page, email));
    await expect(toastWith(page, 'Email resent!')).toHaveCount(1);
    await expect(toastWith(page, 'Failed to resend invitation')).toHaveCount(0);
    expect(sent).toHaveLength(2);

    const revoked = functionCalls(page, 'revoke-user-invitation');
    const panel = await openPanel(page, email, 'Robin Twice');
    await doubleClick(page, panel.getByRole('button', { name: 'Revoke invitation' }));
    expect(revoked).toHaveLength(0);
    const question = page.getByRole('alertdialog');
    await doubleClick(page, question.getByRole('button', { name: 'Revoke invitation' }));
    await expect(question).toHaveCount(0);
    await expect(toastWith(page, 'Invitation revoked')).toHaveCount(1);
    expect(revoked).toHaveLength(1);
    await expect(panel).toBeVisible();
  });
});

test.describe('an administrator with a narrow touch screen', () => {
  test.use({ as: 'administrator', hasTouch: true, viewport: { width: 600, height: 800 } });

  test('X05 [I22] answers a question once, and the panel beneath stays open', async ({ page }) => {
    const email = `${unique('tapped')}@example.org`;
    await openAdmins(page);
    const form = await fillInvitation(page, 'Robin Tap', email);
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const revoked = functionCalls(page, 'revoke-user-invitation');
    const panel = await openPanel(page, email, 'Robin Tap');
    const question = page.getByRole('alertdialog');
    // Mouse and fingers count their presses differently.
    for (const pressTwice of [doubleTap, doubleClick]) {
      await panel.getByRole('button', { name: 'Revoke invitation' }).click();
      await pressTwice(page, question.getByRole('button', { name: 'Cancel' }));
      await expect(question).toHaveCount(0);
      await expect(panel).toBeVisible();
      await expect(page).toHaveURL(/[?]invitation=/);
    }
    expect(revoked).toHaveLength(0);
    await panel.getByRole('button', { name: 'Revoke invitation' }).click();
    await doubleTap(page, question.getByRole('button', { name: 'Revoke invitation' }));
    await expect(toastWith(page, 'Invitation revoked')).toHaveCount(1);
    await expect(question).toHaveCount(0);
    await expect(panel).toBeVisible();
    expect(revoked).toHaveLength(1);
  });
});

test('X05 [I22] signing in sends the password once', async ({ page, people }) => {
  const person = await people.make();
  await page.goto('/auth');
  const tries = requestsTo(page, /\/auth\/v1\/token\?grant_type=password/, 'POST');
  await emailField(page).fill(person.email);
  await passwordField(page).fill(secret);
  await doubleClick(page, page.getByRole('button', { name: 'Sign In', exact: true }));
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(toastWith(page, 'Welcome back!')).toHaveCount(1);
  expect(tries).toHaveLength(1);
});
