/** A new build of the console: reloads, and what no reload may interrupt. */
import type { Page } from '@playwright/test';
import { openAccounts, table } from '../support/accounts-page.ts';
import { expect, failedLoad, test, toastWith } from '../support/console-fixtures.ts';

test.use({ as: 'administrator' });

/** From the next load on, pages have a script with a different name, as after an upgrade of the service. */
const replaceBuild = (page: Page): Promise<unknown> =>
  page.route(/\/admin\//, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({
      response,
      body: html.replace('src="/assets/console-', 'src="/assets/./console-'),
    });
  });

test('reloads a stale build once for a missing file', { tag: '@REL-14' }, async ({ page, expectMessage }) => {
  expectMessage(failedLoad(404));
  expectMessage(/Failed to fetch dynamically imported module|could not be loaded|Unable to preload/);
  await page.route(/\/assets\/styleguide-screen/, (route) =>
    route.fulfill({ status: 404, body: 'Not found' }),
  );
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.goto('/admin/logs');
  await replaceBuild(page);
  await page.getByRole('link', { name: 'Styleguide' }).click();
  await expect.poll(() => loads).toBe(2);
  await expect(page.getByText('This screen could not be shown')).toBeVisible();
  await expect(page.getByRole('navigation')).toBeVisible();
  await page.unroute(/\/assets\/styleguide-screen/);
  await page.getByRole('link', { name: 'Accounts' }).click();
  await expect(table(page)).toBeVisible();
  expect(loads).toBe(2);
});

test('stays on the page after an interruption of the line, and opens the menu when it can be loaded', async ({
  page,
  expectMessage,
}) => {
  expectMessage(/Failed to load resource/);
  await page.route(/\/assets\/user-menu-list/, (route) => route.abort());
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.goto('/admin/logs');
  await expect(page.getByRole('button', { name: 'Administrator' })).toBeVisible();
  const check = page.waitForResponse((response) => new URL(response.url()).pathname === '/admin/logs');
  await page.getByRole('button', { name: 'Administrator' }).click();
  await (await check).finished();
  await expect(toastWith(page, 'A part of this page could not be loaded')).toBeVisible();
  await page.unroute(/\/assets\/user-menu-list/);
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  expect(loads).toBe(1);
});

test('shows one toast instead of a reload if a file is missing and the page has unsaved input', async ({
  page,
  expectMessage,
}) => {
  expectMessage(failedLoad(404));
  await page.route(/\/assets\/user-menu-list/, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  await page.goto('/admin/notifications');
  await replaceBuild(page);
  const sender = page.getByLabel('Sender Name');
  await sender.fill('Still Here');
  let loads = 0;
  page.on('load', () => (loads += 1));
  for (let tries = 1; tries <= 2; tries += 1) {
    await page.getByRole('button', { name: 'Administrator' }).click();
    await expect(toastWith(page, 'This page may be out of date')).toHaveCount(1);
  }
  await expect(sender).toHaveValue('Still Here');
  expect(loads).toBe(0);
});

test(
  'navigates by a full load after a response of a newer build, unless input is unsaved',
  { tag: '@REL-14' },
  async ({ page, context, expectMessage }) => {
    expectMessage(/ERR_INTERNET_DISCONNECTED/);
    await page.route(/\/rest\/v1\/user_invitations\?/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response: response, headers: { ...response.headers(), 'x-build': 'newer' } });
    });
    await openAccounts(page);
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.getByRole('link', { name: 'Admins' }).click();
    await expect(page.getByRole('button', { name: 'Invite Admin' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Admins' })).toHaveAttribute('aria-busy', 'false');
    expect(loads).toBe(0);
    // Without a line, a full load would show the error page of the browser.
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Global Analytics' }).click();
    await expect(page.getByRole('heading', { name: 'Global Analytics', level: 1 })).toBeVisible();
    expect(loads).toBe(0);
    await context.setOffline(false);
    const isOnline = (): Promise<boolean> =>
      page.evaluate(() =>
        fetch('/health').then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    await expect.poll(isOnline).toBe(true);
    await page.getByRole('link', { name: 'Logs' }).click();
    await expect(page.getByRole('heading', { name: 'Logs', level: 1 })).toBeVisible();
    await expect.poll(() => loads).toBe(1);
  },
);
