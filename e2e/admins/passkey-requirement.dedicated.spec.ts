/** Passkeys as second factor of administrators. Uses a dedicated instance, because the requirement concerns all of them. */
import { violationsOn } from '../support/accessibility.ts';
import { openAdmins } from '../support/admins-page.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { signOutToForm } from '../support/forms.ts';
import { dialogOverflow } from '../support/horizontal-scroll.ts';
import {
  acceptSuggestedName,
  accounts,
  addAuthenticator,
  enterPassword,
  itemsIn,
  openSecurity,
  secondFactorHeading,
} from '../support/security-page.ts';
import { pressOn } from '../support/tab-to.ts';

test.use({
  dedicatedInstance: 'passkey requirement',
  // WebAuthn requires a host name, not an IP address.
  baseURL: async ({ instance }, use) => use(instance.url.replace('127.0.0.1', 'localhost')),
});

test('leads administrators with a passkey to the sign-in with it, by keyboard', async ({
  page,
  users,
  instance,
  expectMessage,
}) => {
  test.slow();
  // The requests of the page behind the dialog.
  expectMessage(failedLoad(403));
  const user = await users.create({ fullName: 'Petra Pass' });
  const requireSecondFactor = async (graceDays: number): Promise<void> => {
    const grace = ['--grace', String(graceDays)];
    const { code, output } = await instance.command('admins', 'require-second-factor', 'on', ...grace);
    expect([code, output]).toEqual([0, expect.any(String)]);
  };
  await addAuthenticator(page, 'internal');
  await enterPassword(page, user.email);
  await expect(accounts(page)).toBeVisible();
  await openSecurity(page);
  await pressOn(page, page.getByRole('button', { name: 'Add passkey' }));
  await acceptSuggestedName(page);
  await expect(toastWith(page, 'Passkey added')).toBeVisible();
  await expect(itemsIn(page, 'Passkeys')).toContainText('Counts as two factors');
  expect(await violationsOn(page)).toEqual([]);

  // In a session with the password alone, the user cannot require one.
  await openAdmins(page);
  await pressOn(page, page.getByRole('button', { name: 'View', exact: true }));
  await pressOn(page, page.getByRole('button', { name: 'Second factor for administrators' }));
  const start = page.getByRole('dialog', { name: 'Require a second factor of all administrators?' });
  await expect(start).toContainText('Only a passkey: Petra Pass.');
  await expect(start).toContainText('You signed in without your passkey.');
  expect(await dialogOverflow(page)).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await requireSecondFactor(6);
  await page.reload();
  const banner = page.getByRole('status').filter({ hasText: 'Administrators need a second factor from' });
  await expect(banner).toContainText('From then on, sign in with your passkey.');
  await requireSecondFactor(0);
  await page.goto('/admin/accounts');
  const blocked = page.getByRole('dialog', { name: 'Sign in with your passkey to continue' });
  const button = blocked.getByRole('button', { name: 'Use a passkey' });
  await expect(button).toBeFocused();
  await expect(blocked.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(blocked).toBeVisible();
  expect(await dialogOverflow(page)).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(blocked).toHaveCount(0);
  await expect(accounts(page)).toBeVisible();
  // The passkey replaced the session.
  await openSecurity(page);
  await expect(itemsIn(page, 'Active sessions').filter({ hasText: 'This device' })).toHaveCount(1);

  // A sign-in with it asks for no code.
  await signOutToForm(page, user.fullName);
  await pressOn(page, page.getByRole('button', { name: 'Use a passkey' }));
  await expect(accounts(page)).toBeVisible();
  await expect(secondFactorHeading(page)).toHaveCount(0);
  await openAdmins(page);
  await expect(page.getByRole('row').filter({ hasText: user.email })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // Without it, the user must set up another second factor.
  await openSecurity(page);
  await pressOn(page, page.getByRole('button', { name: /^Remove Chrome/ }));
  const confirmation = page.getByRole('alertdialog');
  await expect(confirmation).toContainText('this is your only one');
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, confirmation.getByRole('button', { name: 'Remove passkey' }));
  await expect(page.getByRole('dialog', { name: 'Set up a second factor to continue' })).toBeVisible();
});

test('does not count a passkey that only checks that the user is present', async ({
  page,
  users,
  instance,
  expectMessage,
}) => {
  test.slow();
  expectMessage(failedLoad(403));
  await instance.command('admins', 'require-second-factor', 'off');
  const user = await users.create({ fullName: 'Pia Present' });
  await addAuthenticator(page, 'internal', { verifiesUser: false });
  await enterPassword(page, user.email);
  await expect(accounts(page)).toBeVisible();
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await acceptSuggestedName(page);
  await expect(itemsIn(page, 'Passkeys')).toHaveCount(1);
  await expect(itemsIn(page, 'Passkeys')).not.toContainText('Counts as two factors');
  await instance.command('admins', 'require-second-factor', 'on', '--grace', '0');
  await page.reload();
  await expect(page.getByRole('dialog', { name: 'Set up a second factor to continue' })).toBeVisible();
});
