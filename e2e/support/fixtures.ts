/**
 * Playwright fixtures for all browser tests: a test instance and a check of the browser console. Every
 * console message, page error or CSP violation fails the test, unless the test allows it.
 */
import { randomBytes } from 'node:crypto';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { generateApiKey } from '../../packages/auth/src/keys/api-keys.ts';
import { startMailServer, type MailServer } from '../../apps/server/test/support/mail-server.ts';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { applyPageConditions, conditionMessages } from './page-conditions.ts';
import { jumpReliably } from './reliable-clock.ts';
import { routeReliably } from './reliable-routes.ts';
import { linkIn, startInstance, type Instance } from './instance.ts';

export { expect, linkIn };
export type { Instance };

interface WorkerFixtures {
  readonly instance: Instance;
  /** The Postgres server of the instance, or null for the embedded database. */
  readonly postgres: PostgresServer | null;
  readonly mailServer: MailServer;
  /** True: the instance has no mail server, and saves its emails in its local mailbox. */
  readonly localMailbox: boolean;
  /** True: the instance uses a new Postgres database. */
  readonly external: boolean;
  /** A unique text gives the file an instance that no other file uses. */
  readonly dedicatedInstance: string;
  /** True: the instance starts with an empty data directory instead of a copy of the template. */
  readonly fromNothing: boolean;
}

interface TestFixtures {
  /** Patterns of console messages that the test causes intentionally. */
  readonly expectedMessages: RegExp[];
  readonly cleanConsole: void;
}

/**
 * The console sends these requests when the page is idle. They can arrive after a sign-out, or with the token from
 * before a second factor.
 */
const lateRequest = /status of 40[13] .*\/functions\/v1\/(?:second-factor-requirement|setup-steps)$/;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  mailServer: [
    async ({ browser: _browser }, use) => {
      const server = await startMailServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  localMailbox: [false, { option: true, scope: 'worker' }],
  external: [false, { option: true, scope: 'worker' }],
  dedicatedInstance: ['', { option: true, scope: 'worker' }],
  fromNothing: [false, { option: true, scope: 'worker' }],
  postgres: [
    async ({ external }, use) => {
      const postgres = external ? await startPostgres() : null;
      await use(postgres);
      await postgres?.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  instance: [
    async (
      { postgres, mailServer, localMailbox, dedicatedInstance: _dedicatedInstance, fromNothing },
      use,
    ) => {
      // All tests of a worker share one IP address and create dozens of users within a minute.
      const instance = await startInstance({
        fromNothing,
        environment: { RATE_LIMITS: 'off', ...externalSettings(postgres) },
        ...(!localMailbox && { mailServer }),
      });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ instance }, use) => use(instance.url),
  expectedMessages: async ({ browserName: _browserName }, use) => use([lateRequest, ...conditionMessages]),
  cleanConsole: [
    async ({ context, expectedMessages }, use) => {
      const messages = watchConsole(context);
      await applyPageConditions(context);
      jumpReliably(context);
      routeReliably(context);
      await use();
      const unexpected = messages.filter((text) => !expectedMessages.some((pattern) => pattern.test(text)));
      expect(unexpected, 'unexpected console messages').toEqual([]);
    },
    { auto: true },
  ],
});

/** With an external database the API keys are encrypted in the database, so the tests set them. */
function externalSettings(postgres: PostgresServer | null): Record<string, string> {
  if (!postgres) return {};
  return {
    DATABASE_URL: postgres.databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64url'),
    ANON_KEY: generateApiKey('publishable'),
    SERVICE_ROLE_KEY: generateApiKey('secret'),
  };
}

/** Collects the console messages and uncaught errors of all pages of the context. */
export function watchConsole(context: BrowserContext): string[] {
  const messages: string[] = [];
  context.on('console', (message) =>
    messages.push(`${message.type()}: ${message.text()} ${message.location().url}`.trim()),
  );
  context.on('weberror', (error) => messages.push(`uncaught: ${error.error().message}`));
  return messages;
}

export const password = 'lantern on the pier 7';

/** Sets the password of the first administrator through the printed link. Ends on the accounts screen. */
export async function setUpFirstAdministrator(page: Page, instance: Instance): Promise<void> {
  const onProduct = instance.firstLink.replace(/^https?:\/\/[^/]+/, instance.url);
  await page.goto(onProduct);
  await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(page).toHaveURL(/\/admin\/accounts/);
}
