/** The requirement of a second factor. Uses a dedicated instance, because it concerns all administrators. By keyboard alone. */
import { violationsOn } from '../support/accessibility.ts';
import { dialogOverflow } from '../support/horizontal-scroll.ts';
import { openAdmins } from '../support/admins-page.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';
import { enroll } from '../support/second-factor.ts';
import { totpCode } from '../support/security-page.ts';
import { pressOn, tabTo } from '../support/tab-to.ts';
import { openPalette } from '../support/palette.ts';

test.use({ as: 'administrator', dedicatedInstance: 'second factor requirement' });

test('leads administrators to a second factor, and blocks those without one after the grace period', async ({
  page,
  users,
  instance,
  openBrowser,
  expectMessage,
}) => {
  test.slow();
  const chief = await users.create({ fullName: 'Cleo Chief' });
  await users.create({ fullName: 'Wim Without' });
  const member = await users.plain();

  // Without a factor of their own, an administrator cannot require one.
  expectMessage(failedLoad(403));
  await openAdmins(page);
  await openPalette(page);
  await page.keyboard.type('second factor for');
  await expect(page.getByRole('option', { name: 'Second Factor for Administrators' })).toBeVisible();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Require a second factor of all administrators?' });
  await expect(dialog).toContainText('Without a second factor:');
  await expect(dialog).toContainText('Wim Without');
  const first = dialog.getByRole('link', { name: 'Add your second factor first' });
  await expect(first).toHaveAttribute('href', '/admin/me/security');
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, dialog.getByRole('button', { name: 'Require second factor' }));
  await expect(toastWith(page, 'Error saving setting')).toContainText('Set up your own second factor');
  await page.keyboard.press('Escape');

  // The operator requires it with a grace period: an administrator of less than a day cannot.
  await enroll(instance, chief);
  const requireSecondFactor = async (graceDays: number): Promise<void> => {
    const { code, output } = await instance.command(
      'admins',
      'require-second-factor',
      'on',
      '--grace',
      String(graceDays),
    );
    expect([code, output]).toEqual([0, expect.any(String)]);
  };
  await requireSecondFactor(6);
  await page.reload();
  const banner = page.getByRole('status').filter({ hasText: 'Administrators need a second factor from' });
  await expect(banner).toContainText('in 6 days');
  await expect(page.getByRole('heading', { name: 'Admins', level: 1 })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);

  // After it, an administrator without a factor can only set one up, or sign out.
  await requireSecondFactor(0);
  await page.goto('/admin/accounts');
  const blocked = page.getByRole('dialog', { name: 'Set up a second factor to continue' });
  await expect(blocked).toBeVisible();
  await expect(blocked.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await expect(blocked.getByRole('button', { name: 'Set up an authenticator app' })).toBeFocused();
  expect(await dialogOverflow(page)).toBe(0);
  await page.keyboard.press('Escape');
  await expect(blocked).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await pressOn(page, blocked.getByRole('button', { name: 'Set up an authenticator app' }));
  const setup = page.getByRole('dialog', { name: 'Add authenticator app' });
  await expect(setup.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(setup.getByRole('img')).toBeVisible();
  const secret = (await setup.locator('code').innerText()).replaceAll(/\s/g, '');
  await tabTo(page, setup.getByLabel('Code'));
  await page.keyboard.type(totpCode(secret));
  await page.keyboard.press('Enter');
  await expect(setup).toHaveCount(0);
  await expect(blocked).toHaveCount(0);
  await openAdmins(page);
  await expect(page.getByRole('row').filter({ hasText: chief.email })).toBeVisible();

  // Members without the role are not concerned.
  const memberPage = await openBrowser(member);
  await memberPage.goto('/admin/accounts');
  await expect(memberPage.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  await expect(memberPage.getByRole('dialog')).toHaveCount(0);

  // The administrator stops the requirement in the View menu.
  await pressOn(page, page.getByRole('button', { name: 'View', exact: true }));
  await pressOn(page, page.getByRole('button', { name: 'Second factor for administrators' }));
  const stop = page.getByRole('alertdialog', { name: 'Stop requiring a second factor?' });
  expectMessage(/net::ERR_FAILED/);
  const url = /\/set-second-factor-requirement$/;
  await page.route(url, async (route) => {
    await route.fetch();
    await route.abort('failed');
  });
  await pressOn(page, stop.getByRole('button', { name: 'Stop requiring it' }));
  const failure = toastWith(page, 'Error saving setting');
  await expect(failure).toBeVisible();
  await page.unroute(url);
  await failure.getByRole('button', { name: 'Retry' }).click();
  await expect(toastWith(page, 'Second factor no longer required')).toBeVisible();
  await expect(stop).toHaveCount(0);
});
