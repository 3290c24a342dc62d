/**
 * Playwright fixtures for tests of the console. `as` selects the signed-in user. The fixture stores the
 * session directly, because a sign-in through the form in every test takes minutes.
 */
import type { BrowserContext, Page, Route } from '@playwright/test';
import pg from 'pg';
import { expect, test as base, watchConsole } from './fixtures.ts';
import { applyPageConditions, isClockAhead } from './page-conditions.ts';
import { routeReliably } from './reliable-routes.ts';
import { type TestUsers, createTestUsers, type TestUser, storageStateFor } from './users.ts';

export { expect };

type Actor = 'signed-out' | 'administrator' | 'plain';

interface Fixtures {
  readonly as: Actor;
  /** Allows console messages that the test causes intentionally. */
  readonly expectMessage: (pattern: RegExp) => void;
  /** Opens a separate browser context, signed in as the user, or signed out for null. */
  readonly openBrowser: (user: TestUser | null) => Promise<Page>;
}

interface WorkerFixtures {
  readonly users: TestUsers;
  /** Runs SQL as superuser. Requires Postgres. */
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  users: [async ({ instance }, use) => use(createTestUsers(instance)), { scope: 'worker' }],
  sql: [
    async ({ postgres }, use) => {
      if (!postgres) throw new Error('The sql fixture requires test.use({ external: true })');
      // The superuser URL names another database.
      const connection = new URL(postgres.superuserUrl);
      connection.pathname = new URL(postgres.databaseUrl).pathname;
      const pool = new pg.Pool({ connectionString: connection.href, max: 2 });
      await use(async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows);
      await pool.end();
    },
    { scope: 'worker' },
  ],
  as: ['signed-out', { option: true }],
  storageState: async ({ as, users, instance }, use) => {
    await users.renewAdministrator();
    if (as === 'signed-out') {
      await use({ cookies: [], origins: [] });
      return;
    }
    // A page with a clock ahead refreshes the session immediately. A shared refresh token would be used twice.
    if (isClockAhead) await users.replaceSession(as);
    await use(storageStateFor(instance, (await users[as]()).session));
  },
  expectMessage: async ({ expectedMessages }, use) => {
    await use((pattern) => void expectedMessages.push(pattern));
  },
  openBrowser: async ({ browser, instance, expectedMessages }, use) => {
    const opened: { context: BrowserContext; messages: string[] }[] = [];
    await use(async (user) => {
      // All other options come from the Playwright configuration, as in the context of the test.
      const storageState = user ? storageStateFor(instance, user.session) : { cookies: [], origins: [] };
      const context = await browser.newContext({ storageState });
      await applyPageConditions(context);
      routeReliably(context);
      opened.push({ context, messages: watchConsole(context) });
      return context.newPage();
    });
    for (const { context, messages } of opened) {
      await context.close();
      const unexpected = messages.filter((text) => !expectedMessages.some((pattern) => pattern.test(text)));
      expect(unexpected, 'unexpected console messages of the other browser').toEqual([]);
    }
  },
});

/** The long poll in which a page learns that its session has ended. */
export const sessionWatch = /\/session-watch$/;

/** Delays matching requests until `release` is called, so that a test can check the pending state. */
export async function holdRequests(page: Page, url: RegExp): Promise<{ release: () => void }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    // The page may be closed or may have navigated.
    await route.fallback().catch(() => undefined);
  });
  return { release };
}

/** Responds to matching requests with this status and JSON body instead of the service. */
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

/** Matches the console message of Chromium for a response with this status. */
export const failedLoad = (status: number): RegExp =>
  new RegExp(`Failed to load resource.*status of ${status}`);

/** Returns the toast that contains the text. */
export const toastWith = (page: Page, title: string | RegExp) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: title });
