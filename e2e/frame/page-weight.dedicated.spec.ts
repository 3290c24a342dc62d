/** Size and number of requests of the sign-in page and the accounts screen. bench/page.mjs measures times. */
import type { Page, Request, Route } from '@playwright/test';
import { openAccounts, rows } from '../support/accounts-page.ts';
import { expect, test } from '../support/console-fixtures.ts';
import { account, deleteRows, insertRows } from '../support/api.ts';
import { emailField, passwordField, requestsTo } from '../support/forms.ts';
import { isClockAhead } from '../support/page-conditions.ts';
import { testPassword } from '../support/users.ts';

// A dedicated instance has no rows of other tests.
test.use({ dedicatedInstance: 'page weight' });

/**
 * Measures the requests of the document and its data, in bytes as sent, including headers. Excludes code that
 * loads on demand or is preloaded when the page is idle, which the document does not name.
 */
async function measureLoad(
  page: Page,
  ready: () => Promise<unknown>,
): Promise<{ requests: Request[]; bytes: number }> {
  const all: Request[] = [];
  const record = (request: Request) => void all.push(request);
  page.on('request', record);
  await ready();
  page.off('request', record);
  const html = (await (await all[0]?.response())?.text()) ?? '';
  const requests = all.filter((request) => {
    const { pathname } = new URL(request.url());
    return !pathname.startsWith('/assets/') || html.includes(pathname);
  });
  let bytes = 0;
  for (const request of requests) {
    await (await request.response())?.finished();
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    bytes += responseBodySize + responseHeadersSize;
  }
  return { requests, bytes };
}

test('loads the sign-in page with at most 110 kB in nine requests, without the auth client', async ({
  page,
}) => {
  const { requests, bytes } = await measureLoad(page, async () => {
    await page.goto('/auth');
    await expect(page.getByLabel('Email')).toBeVisible();
  });
  expect(bytes).toBeLessThan(110_000);
  expect(requests.length).toBeLessThanOrEqual(9);
  expect(
    requests.filter((request) => /session-|auth-client|auth-service|console-/.test(request.url())),
  ).toEqual([]);
});

test('signs in with a password without loading code of the console', async ({ page, users }) => {
  const { email } = await users.create();
  const requests = requestsTo(page, /./);
  await page.goto('/auth');
  await emailField(page).fill(email);
  await passwordField(page).fill(testPassword);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Accounts', level: 1 })).toBeVisible();
  const paths = requests.map((request) => new URL(request.url()).pathname);
  const consoleDocument = paths.indexOf('/admin/accounts');
  const isConsoleChunk = (path: string) => path.startsWith('/assets/console-');
  expect(paths.slice(0, consoleDocument)).toContain('/auth/v1/token');
  expect(paths.slice(0, consoleDocument).filter(isConsoleChunk)).toEqual([]);
  // Otherwise the chunk has another name, and the check above is void.
  expect(paths.slice(consoleDocument).some(isConsoleChunk)).toBe(true);
});

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  // A response has at most 200 rows, which are 5 kB more than 30 rows.
  for (const { count, maxKb } of [
    { count: 30, maxKb: 190 },
    { count: 5000, maxKb: 195 },
  ]) {
    test(`loads the first of ${count} accounts with at most ${maxKb} kB in 16 requests`, async ({
      page,
      instance,
    }) => {
      test.skip(isClockAhead, 'The refresh of the session adds a response.');
      for (let first = 0; first < count; first += 500) {
        const names = Array.from({ length: Math.min(500, count - first) }, (_, n) => `Patrol ${first + n}`);
        await insertRows(
          instance,
          'accounts',
          names.map((name) => account(name, { city: 'Vail', state: 'CO' })),
        );
      }
      const { requests, bytes } = await measureLoad(page, async () => {
        await openAccounts(page);
        await expect(rows(page).first()).toBeVisible();
      });
      await expect(page.getByText(`(${count} total)`)).toBeVisible();
      const reads = requests.filter((request) => request.url().includes('/rest/v1/'));
      expect(reads.map((request) => new URL(request.url()).pathname.split('/').at(-1)).toSorted()).toEqual([
        'account_members',
        'accounts',
        'profiles',
        'user_roles',
      ]);
      expect(requests.length).toBeLessThanOrEqual(16);
      expect(bytes).toBeLessThan(maxKb * 1000);
      await deleteRows(instance, 'accounts', 'name=like.Patrol*');
    });
  }

  test('starts all four reads of the accounts screen before the first response', async ({ page }) => {
    const held: Route[] = [];
    await page.route('**/rest/v1/**', async (route) => {
      held.push(route);
      // A read that waited for the response of another one would leave all of them without a response.
      if (held.length === 4) await Promise.all(held.map((each) => each.continue()));
    });
    await openAccounts(page);
    expect(held.length).toBe(4);
  });
});
