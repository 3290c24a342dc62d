/** Addresses and answers that somebody else made up. */
import { expect, test } from './support/console-test.ts';

test.describe('addresses', () => {
  test.use({ as: 'administrator' });
  for (const address of [
    '/auth?redirect_to=https://evil.example',
    '/auth?next=//evil.example',
    '/auth/callback?next=//evil.example&redirect_to=https://evil.example',
    '/auth/callback?setup=true&redirect_to=javascript:alert(1)',
    '/auth#redirect_to=https://evil.example',
    '/admin/accounts?redirect=https://evil.example',
  ]) {
    test(`CON-03 ${address} stays on the own origin`, async ({ page, product, expectMessage }) => {
      expectMessage(/404/);
      const foreign: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(product.url)) foreign.push(request.url());
      });
      await page.goto(product.url + address);
      await expect(page.locator('main, h1').first()).toBeVisible();
      expect(new URL(page.url()).origin).toBe(new URL(product.url).origin);
      expect(foreign).toEqual([]);
    });
  }
});

test.describe('answers', () => {
  test.use({ as: 'administrator' });
  for (const [name, contentType, body] of [
    ['a page instead of rows', 'text/html', '<!doctype html><title>Sign in to the network</title>'],
    ['null instead of rows', 'application/json', 'null'],
    ['an object instead of rows', 'application/json', '{"rows":[]}'],
    ['half a row', 'application/json', '[{"id":'],
    ['rows of other things', 'application/json', '[null, 7, {"name": {"a": 1}}]'],
  ] as const) {
    test(`CON-17 ${name}: the frame stays, and something readable stands in place`, async ({ page }) => {
      await page.route(/\/rest\/v1\/accounts/, (route) => route.fulfill({ contentType, body }));
      await page.goto('/admin/accounts');
      await expect(page.getByRole('heading', { name: 'Accounts' }).first()).toBeVisible();
      await expect(page.getByText(/Retry|No accounts|Error/).first()).toBeVisible();
      await page.unroute(/\/rest\/v1\/accounts/);
      await page.goto('/admin/accounts');
      await expect(page.getByRole('table')).toBeVisible();
    });
  }
});
