/** Hostile URLs and invalid responses. */
import { expect, test } from '../support/console-fixtures.ts';

test.use({ as: 'administrator' });

test('redirects no URL to another origin', { tag: '@CON-03' }, async ({ page, instance, expectMessage }) => {
  expectMessage(/404/);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(instance.url)) foreign.push(request.url());
  });
  for (const address of [
    '/auth?redirect_to=https://evil.example',
    '/auth?next=//evil.example',
    '/auth/callback?next=//evil.example&redirect_to=https://evil.example',
    '/auth/callback?setup=true&redirect_to=javascript:alert(1)',
    '/auth#redirect_to=https://evil.example',
    '/admin/accounts?redirect=https://evil.example',
  ]) {
    // A pending navigation of the previous page may interrupt this one.
    await expect(() => page.goto(instance.url + address)).toPass();
    await expect(page.locator('main, h1').first()).toBeVisible();
    expect(new URL(page.url()).origin, address).toBe(new URL(instance.url).origin);
    expect(foreign, address).toEqual([]);
  }
});

test(
  'shows an error and keeps the frame for any invalid response instead of rows',
  { tag: '@CON-17' },
  async ({ page }) => {
    const accounts = /\/rest\/v1\/accounts/;
    for (const [name, contentType, body] of [
      ['a page', 'text/html', '<!doctype html><title>Sign in to the network</title>'],
      ['null', 'application/json', 'null'],
      ['an object', 'application/json', '{"rows":[]}'],
      ['half a row', 'application/json', '[{"id":'],
      ['rows of other things', 'application/json', '[null, 7, {"name": {"a": 1}}]'],
    ] as const) {
      await page.route(accounts, (route) => route.fulfill({ contentType, body }));
      await page.goto('/admin/accounts');
      await expect(page.getByRole('heading', { name: 'Accounts' }).first(), name).toBeVisible();
      await expect(page.getByText(/Retry|No accounts|Error/).first(), name).toBeVisible();
      await page.unroute(accounts);
    }
    await page.goto('/admin/accounts');
    await expect(page.getByRole('table')).toBeVisible();
  },
);
