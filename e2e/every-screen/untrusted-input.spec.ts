/** Hostile URLs and invalid responses. */
import { expect, test } from '../support/console-fixtures.ts';

test.use({ as: 'administrator' });

test('redirects no URL to another origin', { tag: '@CON-03' }, async ({ page, instance }) => {
  const externalUrls: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(instance.url)) externalUrls.push(request.url());
  });
  for (const [path, destination, heading] of [
    ['/auth?redirect_to=https://evil.example', '/admin/accounts', 'Accounts'],
    ['/auth?next=//evil.example', '/admin/accounts', 'Accounts'],
    ['/auth?next=javascript:alert(1)', '/admin/accounts', 'Accounts'],
    ['/auth#redirect_to=https://evil.example', '/admin/accounts', 'Accounts'],
    ['/auth/callback?next=//evil.example&redirect_to=https://evil.example', '/admin/accounts', 'Accounts'],
    ['/admin/accounts?redirect=https://evil.example', '/admin/accounts', 'Accounts'],
    ['/auth/callback?setup=true&redirect_to=javascript:alert(1)', '/auth/set-password', 'Set Your Password'],
  ] as const) {
    // The console redirects when it has checked the session, possibly before the page is loaded.
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true }), path).toBeVisible();
    await expect(page, path).toHaveURL((url) => url.origin + url.pathname === instance.url + destination);
    expect(externalUrls, path).toEqual([]);
  }
});

test(
  'shows an error and keeps the frame after an invalid response instead of rows',
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
      await expect(page.getByText('The accounts could not be loaded'), name).toBeVisible();
      await expect(page.getByText('No accounts yet'), name).toHaveCount(0);
      await expect(page.getByRole('navigation'), name).toBeVisible();
      await page.unroute(accounts);
    }
    await page.goto('/admin/accounts');
    await expect(page.getByRole('table')).toBeVisible();
  },
);
