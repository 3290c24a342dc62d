/** How much the two first pages weigh, and in how many steps they arrive. Times are measured in bench/page.mjs. */
import type { Page, Request } from '@playwright/test';
import { openAccounts, rows } from '../support/accounts-page.ts';
import { expect, test } from '../support/console-fixtures.ts';
import { account, insertRows } from '../support/api.ts';

// Few rows, whatever other files made: what is weighed is the page.
test.use({ ownProduct: 'page weight' });

/**
 * What the document asks for and the reads that follow, with their bytes as sent, headers included. Code
 * that loads on demand, or ahead of time once the page is at rest, is not named in the document.
 */
async function weigh(
  page: Page,
  ready: () => Promise<unknown>,
): Promise<{ requests: Request[]; bytes: number }> {
  const all: Request[] = [];
  const note = (request: Request) => void all.push(request);
  page.on('request', note);
  await ready();
  page.off('request', note);
  const named = (await (await all[0]?.response())?.text()) ?? '';
  const requests = all.filter((request) => {
    const { pathname } = new URL(request.url());
    return !pathname.startsWith('/assets/') || named.includes(pathname);
  });
  let bytes = 0;
  for (const request of requests) {
    await (await request.response())?.finished();
    const { responseBodySize, responseHeadersSize } = await request.sizes();
    bytes += responseBodySize + responseHeadersSize;
  }
  return { requests, bytes };
}

test('the sign-in page is at most 110 kB in nine requests, and the auth client comes later', async ({
  page,
}) => {
  const { requests, bytes } = await weigh(page, async () => {
    await page.goto('/auth');
    await expect(page.getByLabel('Email')).toBeVisible();
  });
  expect(bytes).toBeLessThan(110_000);
  expect(requests.length).toBeLessThanOrEqual(9);
  expect(requests.filter((request) => /auth-client|auth-service|console-/.test(request.url()))).toEqual([]);
});

test.describe('signed in', () => {
  test.use({ as: 'administrator' });

  test('thirty accounts are at most 175 kB in sixteen requests, and all four reads start together', async ({
    page,
    product,
  }) => {
    const names = Array.from({ length: 30 }, (_, index) => `Patrol ${index}`);
    await insertRows(
      product,
      'accounts',
      names.map((name) => account(name, { city: 'Vail', state: 'CO' })),
    );
    const { requests, bytes } = await weigh(page, async () => {
      await openAccounts(page);
      await expect(rows(page).first()).toBeVisible();
    });
    const reads = requests.filter((request) => request.url().includes('/rest/v1/'));
    expect(reads.map((request) => new URL(request.url()).pathname.split('/').at(-1)).toSorted()).toEqual([
      'account_members',
      'accounts',
      'profiles',
      'user_roles',
    ]);
    // None waited for another's answer.
    const answered = Math.min(
      ...reads.map((request) => request.timing().startTime + request.timing().responseStart),
    );
    for (const read of reads) expect(read.timing().startTime).toBeLessThan(answered);
    expect(requests.length).toBeLessThanOrEqual(16);
    expect(bytes).toBeLessThan(175_000);
  });
});
