/** An instance with invented data: `start --demo`, its data, and its mark on every screen. */
import type { Page } from '@playwright/test';
import { violationsOn } from '../support/accessibility.ts';
import { expect, setUpFirstAdministrator, test as base } from '../support/fixtures.ts';
import { horizontalOverflow } from '../support/horizontal-scroll.ts';
import { startInstance } from '../support/instance.ts';

const test = base.extend({
  instance: [
    async ({ browser: _browser }, use) => {
      const instance = await startInstance({ flags: ['--demo'], environment: { RATE_LIMITS: 'off' } });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

const mark = (page: Page) => page.getByRole('region', { name: 'Demonstration' });
const text = 'Demonstration: the data is invented';

test('is marked on every screen, also in print', async ({ page, instance, expectedMessages }) => {
  test.slow();
  expectedMessages.push(/404: no page at this path/);
  await page.goto('/auth');
  await expect(mark(page)).toHaveText(text);
  await expectReadable(page, 'auth');
  await setUpFirstAdministrator(page, instance);
  await expect(page.getByRole('link', { name: 'Stadium Medics United' })).toBeVisible();
  await expect(mark(page)).toHaveText(text);
  await expectReadable(page, 'accounts');
  await page.emulateMedia({ media: 'print' });
  await expect(mark(page)).toBeVisible();
  await page.emulateMedia({ media: 'screen' });
  // Nothing is left to set up on an instance that is only shown.
  await expect(page.getByRole('button', { name: /^Setup/ })).toHaveCount(0);
  for (const path of [
    '/admin/platform-admins',
    '/admin/notifications',
    '/admin/me/security',
    '/admin/activity',
    '/admin/handover',
    '/admin/handover/sheet',
    '/admin/membership',
    '/admin/analytics',
    '/admin/styleguide',
    '/nope',
    '/auth/set-password?setup=true',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(mark(page), path).toHaveText(text);
  }
});

test('shows members, a suspended account and an expired invitation', async ({ page, instance }) => {
  // The first test has set this password.
  await page.goto('/auth');
  await page.getByLabel('Email', { exact: true }).fill('admin@example.com');
  await page.getByLabel('Password', { exact: true }).fill('lantern on the pier 7');
  await page.getByRole('button', { name: 'Sign In' }).click();
  const suspended = page.getByRole('row', { name: /Stadium Medics United/ });
  await expect(suspended).toContainText('suspended');
  await page.getByRole('link', { name: 'Vail Ski Patrol' }).click();
  const panel = page.getByRole('dialog', { name: 'Vail Ski Patrol' });
  for (const name of ['Dana Whitfield', 'Luca Moretti', 'Sam Okafor'])
    await expect(panel.getByText(name)).toBeVisible();
  await page.goto('/admin/platform-admins');
  await expect(page.getByRole('row', { name: /Jo Ferreira/ })).toContainText('expired');

  // The mark belongs to the data, not to the option of the start.
  await page.goto('about:blank');
  await instance.kill('SIGTERM');
  const restarted = await startInstance({ dataDir: instance.dataDir, environment: { RATE_LIMITS: 'off' } });
  await page.goto(`${restarted.url}/auth`);
  await expect(mark(page)).toHaveText(text);
  await restarted.stop();
});

const views = [
  ['light', 1280],
  ['dark', 1280],
  ['dark', 375],
  ['light', 375],
] as const;

async function expectReadable(page: Page, name: string): Promise<void> {
  for (const [theme, width] of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate((value) => (document.documentElement.dataset['theme'] = value), theme);
    expect(await horizontalOverflow(page)).toBe(0);
    expect(await violationsOn(page), `${name} ${theme} ${width}`).toEqual([]);
    const directory = process.env['SCREENSHOTS'];
    if (directory)
      await page.screenshot({ path: `${directory}/firstrun-demo-${name}-${theme}-${width}.png` });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
