/** A device whose clock is wrong: relative times follow the service, and a banner says so. */
import { expect, test } from '../support/console-fixtures.ts';
import { openPanel } from '../support/admins-panel.ts';
import { openAdmins } from '../support/admins-page.ts';
import { unique } from '../support/api.ts';
import { isClockAhead } from '../support/page-conditions.ts';

test.use({ as: 'administrator' });
test.skip(isClockAhead, 'The tests set the clock themselves.');

const banner = /The clock of this device is/;

for (const [error, milliseconds] of [
  ['1 hour fast', 3_600_000],
  ['1 day fast', 86_400_000],
  ['1 day slow', -86_400_000],
] as const) {
  test(`shows times that follow the service if the clock is ${error}`, async ({ users, openBrowser }) => {
    const email = `${unique('clock')}@example.org`;
    await users.invite(email, 'Carla Clock');
    // A page with a clock ahead refreshes the session at once.
    const page = await openBrowser(await users.create());
    await page.clock.install({ time: Date.now() + milliseconds });
    await openAdmins(page);
    await expect(page.getByRole('status').filter({ hasText: banner })).toHaveText(
      `The clock of this device is ${error}. This page uses the time of the service.`,
    );
    const panel = await openPanel(page, email, 'Carla Clock');
    // The clock of relative times moves on every 15 s.
    await page.clock.runFor(15_000);
    await expect(panel.getByText('(in 7 days)').first()).toBeVisible();
    await expect(panel.getByText('(now)').first()).toBeVisible();
  });
}

test('shows no banner if the clock is right', async ({ page }) => {
  await openAdmins(page);
  await expect(page.getByText(banner)).toHaveCount(0);
});
