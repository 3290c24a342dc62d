/** A double click acts once: one request, one toast, and no click on an element below. */
import type { CDPSession, Locator, Page } from '@playwright/test';
import { expect, test, toastWith } from '../support/console-fixtures.ts';
import { openDialog, openAccounts } from '../support/accounts-page.ts';
import { openPanel } from '../support/admins-panel.ts';
import { fillInvitation, openAdmins, resend } from '../support/admins-page.ts';
import { emailField, passwordField, requestsTo } from '../support/forms.ts';
import { testPassword } from '../support/users.ts';
import { unique } from '../support/api.ts';

/** Slow double click: the response to the first click arrives before the second click. */
const clickIntervalMs = 180;

/** Position on the button of a confirmation dialog that is outside the panel below on a narrow screen. */
const leftEdge = { x: 8, y: 12 };

/** Waits two frames, in which a second click would have taken effect. Returns early if the first click left the document. */
const settle = (page: Page): Promise<void> =>
  page
    .evaluate(
      () =>
        new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
    )
    .catch((error: unknown) => {
      if (!String(error).includes('Execution context was destroyed')) throw error;
    });

/**
 * Presses twice. The console compares the times of the events, so both have a fixed time: a busy machine would
 * delay the second press.
 */
async function pressAtInterval(
  page: Page,
  press: (client: CDPSession, timestamp: number) => Promise<void>,
): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const startedAt = Date.now() / 1000;
  await press(client, startedAt);
  await page.waitForTimeout(clickIntervalMs);
  await press(client, startedAt + clickIntervalMs / 1000);
  await settle(page);
}

const doubleEnter = (page: Page): Promise<void> =>
  pressAtInterval(page, async (client, timestamp) => {
    const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, timestamp };
    await client.send('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...enter });
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...enter });
  });

/** Waits for a stable position, leaves the pointer on the button, and returns its coordinates. */
async function pointAt(button: Locator): Promise<{ x: number; y: number }> {
  await button.hover({ position: leftEdge });
  const box = await button.boundingBox();
  if (!box) throw new Error('The element to press is not visible');
  return { x: box.x + leftEdge.x, y: box.y + leftEdge.y };
}

async function doubleClick(page: Page, button: Locator): Promise<void> {
  const at = await pointAt(button);
  let clickCount = 0;
  await pressAtInterval(page, async (client, timestamp) => {
    clickCount += 1;
    const mouse = { ...at, button: 'left' as const, clickCount, timestamp };
    await client.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse });
    await client.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse });
  });
}

async function doubleTap(page: Page, button: Locator): Promise<void> {
  const touchPoints = [await pointAt(button)];
  await pressAtInterval(page, async (client, timestamp) => {
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints, timestamp });
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
  });
}

const functionCalls = (page: Page, name: string) =>
  requestsTo(page, new RegExp(`/functions/v1/${name}`), 'POST');

test.describe('administrator', () => {
  test.use({ as: 'administrator' });

  test('accepts a click after the window lost the focus while Enter was down', async ({ page }) => {
    await page.goto('/admin/notifications');
    const calls = functionCalls(page, 'send-test-mail');
    const button = page.getByRole('button', { name: 'Send test email', exact: true });
    await button.focus();
    // The window that gets the focus also gets the key up.
    await page.keyboard.down('Enter');
    await expect.poll(() => calls.length).toBe(1);
    await expect(button).toBeEnabled();
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    await page.waitForTimeout(500);
    // As assistive technology clicks: without a pointer and without a key.
    await button.evaluate((element: HTMLElement) => element.click());
    await expect.poll(() => calls.length).toBe(2);
  });

  test('saves settings and sends a test email once', { tag: ['@X05', '@I22'] }, async ({ page }) => {
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
    // The toast of the same action is replaced.
    await expect(saved).toHaveCount(1);

    const mails = functionCalls(page, 'send-test-mail');
    await doubleClick(page, page.getByRole('button', { name: 'Send test email' }));
    await expect.poll(() => mails.length).toBe(1);
    await expect(page.getByRole('button', { name: 'Send test email' })).toBeEnabled();
    expect(mails).toHaveLength(1);
    // A later click is a new action.
    await page.getByRole('button', { name: 'Send test email' }).click();
    await expect.poll(() => mails.length).toBe(2);
    await expect(
      page.getByRole('status').filter({ hasText: 'The mail server accepted the test email' }),
    ).toBeVisible();
  });

  test(
    'creates one account and clicks nothing in the list below',
    { tag: ['@X05', '@I22'] },
    async ({ page }) => {
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
    },
  );

  test('invites, resends and revokes once', { tag: ['@X05', '@I22'] }, async ({ page }) => {
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
    const confirmation = page.getByRole('alertdialog');
    await doubleClick(page, confirmation.getByRole('button', { name: 'Revoke invitation' }));
    await expect(confirmation).toHaveCount(0);
    await expect(toastWith(page, 'Invitation revoked')).toHaveCount(1);
    expect(revoked).toHaveLength(1);
    await expect(panel).toBeVisible();
  });
});

test.describe('administrator on a narrow touch screen', () => {
  test.use({ as: 'administrator', hasTouch: true, viewport: { width: 600, height: 800 } });

  test(
    'confirms a dialog once and keeps the panel below open',
    { tag: ['@X05', '@I22'] },
    async ({ page }) => {
      const email = `${unique('tapped')}@example.org`;
      await openAdmins(page);
      const form = await fillInvitation(page, 'Robin Tap', email);
      await form.getByRole('button', { name: 'Send Invitation' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      const revoked = functionCalls(page, 'revoke-user-invitation');
      const panel = await openPanel(page, email, 'Robin Tap');
      const confirmation = page.getByRole('alertdialog');
      // Mouse and touch events count clicks differently.
      for (const pressTwice of [doubleTap, doubleClick]) {
        await panel.getByRole('button', { name: 'Revoke invitation' }).click();
        await pressTwice(page, confirmation.getByRole('button', { name: 'Cancel' }));
        await expect(confirmation).toHaveCount(0);
        await expect(panel).toBeVisible();
        await expect(page).toHaveURL(/[?]invitation=/);
      }
      expect(revoked).toHaveLength(0);
      await panel.getByRole('button', { name: 'Revoke invitation' }).click();
      await doubleTap(page, confirmation.getByRole('button', { name: 'Revoke invitation' }));
      await expect(toastWith(page, 'Invitation revoked')).toHaveCount(1);
      await expect(confirmation).toHaveCount(0);
      await expect(panel).toBeVisible();
      expect(revoked).toHaveLength(1);
    },
  );
});

test('sends the password once on sign-in', { tag: ['@X05', '@I22'] }, async ({ page, users }) => {
  const user = await users.create();
  await page.goto('/auth');
  const signInRequests = requestsTo(page, /\/auth\/v1\/token\?grant_type=password/, 'POST');
  await emailField(page).fill(user.email);
  await passwordField(page).fill(testPassword);
  await doubleClick(page, page.getByRole('button', { name: 'Sign In', exact: true }));
  await expect(page).toHaveURL(/\/admin\/accounts/);
  await expect(toastWith(page, 'Welcome back!')).toHaveCount(1);
  expect(signInRequests).toHaveLength(1);
});
