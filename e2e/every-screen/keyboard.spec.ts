/** All workflows by keyboard. */
import type { Page } from '@playwright/test';
import { expect, holdRequests, test, toastWith } from '../support/console-fixtures.ts';
import { dialog, openAccounts, openNewAccount, panel, rowFor, search } from '../support/accounts-page.ts';
import { fillInvitation, openAdmins } from '../support/admins-page.ts';
import { testPassword } from '../support/users.ts';
import { account, insertRows, unique } from '../support/api.ts';
import { expectFocusIn } from '../support/focus.ts';

/** Presses Tab until the control has the focus. */
async function tabTo(
  page: Page,
  role: Parameters<Page['getByRole']>[0],
  name: string | RegExp,
): Promise<void> {
  const target = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${role} ${String(name)}`);
}

const outlined = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  });

test('signs in', { tag: ['@X15', '@I6'] }, async ({ page, users }) => {
  const { email } = await users.plain();
  await page.goto('/auth');
  await tabTo(page, 'textbox', 'Email');
  expect(await outlined(page)).toBe(true);
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(testPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/accounts/);
});

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  test(
    'focuses the skip link first, which moves the focus to the content',
    { tag: ['@X15', '@I7'] },
    async ({ page }) => {
      await openAccounts(page);
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      );
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'Skip to content' });
      await expect(skip).toBeFocused();
      await expect(skip).toBeVisible();
      await expect(skip).toHaveCSS('padding', '8px 16px');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('main')).toBeFocused();
    },
  );

  test(
    'focuses the heading of the next screen and announces it',
    { tag: ['@X15', '@I13'] },
    async ({ page }) => {
      await openAccounts(page);
      await tabTo(page, 'link', 'Notifications');
      expect(await outlined(page)).toBe(true);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Notification Settings', level: 1 })).toBeFocused();
      await expect(page).toHaveTitle(/Notifications/);
      await expect(
        page.locator('[aria-live=polite], [role=status]').filter({ hasText: 'Notifications' }),
      ).not.toHaveCount(0);
    },
  );

  test('focuses the heading of a screen that loads for seconds', { tag: '@X15' }, async ({ page }) => {
    await page.goto('/admin/handover');
    await page.clock.install();
    const { release } = await holdRequests(page, /\/handover-sheet$/);
    await page.getByRole('link', { name: 'Emergency sheet' }).press('Enter');
    await expect(page).toHaveURL(/handover\/sheet/);
    await page.clock.runFor(3000);
    release();
    await expect(page.getByRole('heading', { name: 'Emergency sheet', level: 1 })).toBeFocused();
  });

  test(
    'creates an account, traps the focus in the dialog and returns it',
    { tag: ['@C105', '@X15', '@I6', '@I9'] },
    async ({ page }) => {
      const name = unique('typed-account');
      await openAccounts(page);
      await tabTo(page, 'button', 'Add Account');
      await page.keyboard.press('Enter');
      await expectFocusIn(dialog(page));
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press('Tab');
        // The element that returns the focus holds it for a frame.
        await expectFocusIn(dialog(page));
      }
      await page.keyboard.press('Escape');
      await expect(dialog(page)).toHaveCount(0);
      await expect(page.getByRole('button', { name: 'Add Account' })).toBeFocused();
      await page.keyboard.press('Enter');
      await expectFocusIn(dialog(page));
      await tabTo(page, 'textbox', 'Account Name');
      await page.keyboard.type(name);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(rowFor(page, name)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Add Account' })).toBeFocused();
    },
  );

  test(
    'opens a row with Enter, and closes it with Escape, which returns the focus',
    { tag: ['@C097', '@X15', '@I14'] },
    async ({ page, instance }) => {
      const word = unique('keys');
      await insertRows(instance, 'accounts', [account(`${word} One`), account(`${word} Two`)]);
      await openAccounts(page, `?q=${word}`);
      await tabTo(page, 'link', `${word} Two`);
      expect(await outlined(page)).toBe(true);
      await page.keyboard.press('Enter');
      await expect(panel(page, `${word} Two`)).toBeVisible();
      await expectFocusIn(panel(page, `${word} Two`));
      await page.keyboard.press('Escape');
      await expect(panel(page, `${word} Two`)).toHaveCount(0);
      await expect(page.getByRole('link', { name: `${word} Two` })).toBeFocused();
    },
  );

  test('keeps the focus in the palette while a panel closes', { tag: '@I9' }, async ({ page, instance }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const word = unique('quick');
    await insertRows(instance, 'accounts', [account(`${word} One`)]);
    await openAccounts(page, `?q=${word}`);
    await page.getByRole('link', { name: `${word} One` }).press('Enter');
    await expect(panel(page, `${word} One`).getByRole('button', { name: 'Close' })).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    const field = page.getByRole('dialog', { name: 'Search or run a command' }).getByRole('combobox');
    await expect(panel(page, `${word} One`)).toHaveCount(0);
    await expect(field).toBeFocused();
    await page.keyboard.type('logs');
    await expect(field).toHaveValue('logs');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: `${word} One` })).toBeFocused();
  });

  test('closes only the topmost overlay on Escape', { tag: ['@X06', '@I10'] }, async ({ page }) => {
    await openNewAccount(page);
    await page.getByLabel('Account Name').fill('Layers');
    await page.keyboard.press('Escape');
    const confirmation = page.getByRole('alertdialog');
    await expect(confirmation.getByRole('button', { name: 'Keep editing' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(confirmation).toHaveCount(0);
    await expect(dialog(page)).toBeVisible();
    await expect(page.getByLabel('Account Name')).toHaveValue('Layers');
  });

  test(
    'searches, and Escape clears the search box',
    { tag: ['@C077', '@X15'] },
    async ({ page, instance }) => {
      const word = unique('find');
      await insertRows(instance, 'accounts', [account(`${word} Me`)]);
      await openAccounts(page);
      await tabTo(page, 'searchbox', 'Search accounts');
      await page.keyboard.type(word);
      await expect(rowFor(page, `${word} Me`)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(search(page)).toHaveValue('');
      await expect(search(page)).toBeFocused();
    },
  );

  test('invites and resends', { tag: ['@C285', '@C288', '@X15', '@I6'] }, async ({ page }) => {
    const email = `${unique('keyboard')}@example.org`;
    await openAdmins(page);
    await tabTo(page, 'button', 'Invite Admin');
    await page.keyboard.press('Enter');
    await expectFocusIn(page.getByRole('dialog'));
    await tabTo(page, 'textbox', 'Full Name');
    await page.keyboard.type('Key Board');
    await page.keyboard.press('Tab');
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Invitation sent!')).toContainText(email);
    await expect(page.getByRole('button', { name: 'Invite Admin' })).toBeFocused();
    const resend = page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Resend' });
    // After another key, Enter is a new action and not the second half of a double press.
    await page.keyboard.press('Tab');
    await resend.focus();
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Email resent!')).toBeVisible();
    await expect(resend).toBeFocused();
  });

  test(
    'asks for confirmation before it discards an invitation form',
    { tag: ['@X06', '@X15'] },
    async ({ page }) => {
      await openAdmins(page);
      const form = await fillInvitation(page, 'Not Yet', 'not.yet@example.org');
      await page.keyboard.press('Escape');
      const confirmation = page.getByRole('alertdialog', { name: 'Discard the invitation?' });
      await expect(confirmation.getByRole('button', { name: 'Keep editing' })).toBeFocused();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await expect(confirmation).toHaveCount(0);
      await expect(form).toHaveCount(0);
    },
  );

  test('saves the settings with Enter', { tag: ['@C122', '@X15', '@I6', '@I15'] }, async ({ page }) => {
    await page.goto('/admin/notifications');
    await tabTo(page, 'textbox', 'Sender Email Address');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('not an address');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Must be a valid email address')).toBeVisible();
    await expect(page.getByLabel('Sender Email Address')).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('alerts@example.org');
    await page.keyboard.press('Enter');
    await expect(toastWith(page, 'Settings saved')).toBeVisible();
  });

  test('selects a theme and signs out in the user menu', { tag: ['@C068', '@X15'] }, async ({ page }) => {
    await page.goto('/admin/logs');
    await tabTo(page, 'button', 'Administrator');
    await page.keyboard.press('Enter');
    await expectFocusIn(page.getByRole('menu'));
    await page.keyboard.press('End');
    const signOut = page.getByRole('menuitem', { name: 'Sign Out', exact: true });
    await expect(signOut).toBeFocused();
    await expect(signOut).toHaveAccessibleDescription('Ends your sessions on all devices');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Administrator' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Dark' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test(
    'shows the focus at each Tab stop of a panel and after its last one',
    { tag: '@X15' },
    async ({ page, instance }) => {
      const name = unique('tabbed');
      await insertRows(instance, 'accounts', [account(name)]);
      await openAccounts(page, `?q=${name}`);
      await rowFor(page, name).getByRole('link').focus();
      await page.keyboard.press('Enter');
      await expectFocusIn(panel(page, name));
      const isInPanel = () =>
        panel(page, name).evaluate((element) => element.contains(document.activeElement));
      for (let presses = 0; await isInPanel(); presses += 1) {
        expect(presses, 'stops in the panel').toBeLessThan(40);
        expect(await outlined(page)).toBe(true);
        await page.keyboard.press('Tab');
      }
      await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
      // A second round begins with the first stop of the panel again.
      await tabTo(page, 'button', 'Close');
      while (await isInPanel()) await page.keyboard.press('Shift+Tab');
      await expect(page.getByLabel('Rows per page')).toBeFocused();
    },
  );

  test('focuses and dismisses a toast', { tag: '@X15' }, async ({ page }) => {
    await page.goto('/admin/styleguide');
    await page.getByRole('region', { name: 'Toasts', exact: true }).getByRole('button').last().focus();
    await page.keyboard.press('Enter');
    const dismiss = page.getByRole('button', { name: 'Dismiss notification' }).first();
    await expect(dismiss).toBeVisible();
    await dismiss.focus();
    await page.keyboard.press('Enter');
    await expect(dismiss).toHaveCount(0);
  });
});

test.describe('dialogs that the URL opened', () => {
  test.use({ as: 'administrator' });

  for (const [addition, name] of [
    ['app', 'Add authenticator app'],
    ['key', 'Add security key'],
    ['passkey', 'Add passkey'],
  ] as const) {
    test(`focuses the title when "${name}" is closed`, { tag: '@I9' }, async ({ page }) => {
      await page.goto(`/admin/me/security?add=${addition}`);
      const opened = page.getByRole('dialog', { name });
      await expect(opened.getByLabel('Name')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(opened).toHaveCount(0);
      await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeFocused();
    });
  }
});
