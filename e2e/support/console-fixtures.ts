/**
 * Tests of the console. `as` says who is signed in when the page opens: the session is stored as a
 * sign-in would leave it, because clicking through the form in every test costs minutes.
 */
import type { BrowserContext, Page, Route } from '@playwright/test';
import pg from 'pg';
import { expect, test as base, watchConsole } from './fixtures.ts';
import { type TestUsers, createTestUsers, type TestUser, storageStateFor } from './users.ts';

export { expect };

type Actor = 'nobody' | 'administrator' | 'plain';

interface Fixtures {
  readonly as: Actor;
  /** Console messages that this test provokes on purpose. */
  readonly expectMessage: (pattern: RegExp) => void;
  /** A browser of its own, in which this person is signed in; null for nobody. */
  readonly openBrowser: (person: TestUser | null) => Promise<Page>;
}

interface WorkerFixtures {
  readonly people: TestUsers;
  /** Statements past every policy; only on Postgres. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  people: [async ({ product }, use) => use(createTestUsers(product)), { scope: 'worker' }],
  sql: [
    async ({ postgres }, use) => {
      if (!postgres) throw new Error('SQL past the service needs test.use({ external: true })');
      // The superuser, in the product's database.
      const connection = new URL(postgres.superuserUrl);
      connection.pathname = new URL(postgres.databaseUrl).pathname;
      const pool = new pg.Pool({ connectionString: connection.href, max: 2 });
      await use(async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows);
      await pool.end();
    },
    { scope: 'worker' },
  ],
  as: ['nobody', { option: true }],
  storageState: async ({ as, people, product }, use) => {
    if (as === 'nobody') await use({ cookies: [], origins: [] });
    else await use(storageStateFor(product, (await people[as]()).session));
  },
  expectMessage: async ({ expectedMessages }, use) => {
    await use((pattern) => void expectedMessages.push(pattern));
  },
  openBrowser: async ({ browser, product, expectedMessages }, use) => {
    const opened: { context: BrowserContext; messages: string[] }[] = [];
    await use(async (person) => {
      // Everything else comes from the configuration, as in the test's own context.
      const storageState = person ? storageStateFor(product, person.session) : { cookies: [], origins: [] };
      const context = await browser.newContext({ storageState });
      opened.push({ context, messages: watchConsole(context) });
      return context.newPage();
    });
    for (const { context, messages } of opened) {
      await context.close();
      const unexpected = messages.filter((text) => !expectedMessages.some((pattern) => pattern.test(text)));
      expect(unexpected, "the other browser's console stays clean").toEqual([]);
    }
  },
});

/** Holds matching requests until `release` is called, so that the state in between can be seen. */
export async function holdRequests(page: Page, url: RegExp): Promise<{ release: () => void }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    // The page may have been closed or gone elsewhere meanwhile.
    await route.fallback().catch(() => undefined);
  });
  return { release };
}

/** Answers matching requests with this status and JSON body instead of the service. */
export async function respondWith(
  page: Page,
  url: RegExp,
  status: number,
  body: unknown,
  method?: string,
): Promise<void> {
  await page.route(url, async (route: Route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback();
    return route.fulfill({ status, json: body });
  });
}

/** What Chromium prints for an answer of this status. */
export const failedLoad = (status: number): RegExp =>
  new RegExp(`Failed to load resource.*status of ${status}`);

/** The message with this title at the screen's edge. */
export const toastWith = (page: Page, title: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: title });
