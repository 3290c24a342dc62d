/**
 * What every browser test gets: a running product, and a page whose console must stay clean. Any
 * console message, page error or policy violation fails the test, unless the test declares it.
 */
import { randomBytes } from 'node:crypto';
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import { generateApiKey } from '../../apps/server/src/keys/api-keys.ts';
import { startPostgres, type PostgresServer } from '../../apps/server/test/support/postgres-server.ts';
import { linkIn, startInstance, type Instance } from './instance.ts';

export { expect, linkIn };
export type { Instance as Product };

interface WorkerFixtures {
  readonly product: Instance;
  /** The server behind the product when the file asks for one; null on the embedded database. */
  readonly postgres: PostgresServer | null;
  /** DATABASE_URL of a fresh Postgres database when the file asks for one with `test.use({ external: true })`. */
  readonly external: boolean;
  /** Any text of its own gives a file a product that no other file uses. */
  readonly ownProduct: string;
  /** The product makes its embedded database itself. */
  readonly fromNothing: boolean;
}

interface TestFixtures {
  /** Texts of console messages that this test provokes on purpose. */
  readonly expectedMessages: RegExp[];
  readonly cleanConsole: void;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  external: [false, { option: true, scope: 'worker' }],
  ownProduct: ['', { option: true, scope: 'worker' }],
  fromNothing: [false, { option: true, scope: 'worker' }],
  postgres: [
    async ({ external }, use) => {
      const postgres = external ? await startPostgres() : null;
      await use(postgres);
      await postgres?.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  product: [
    async ({ postgres, ownProduct: _ownProduct, fromNothing }, use) => {
      // All tests of a worker come from one address and make dozens of people within a minute.
      const product = await startInstance({
        fromNothing,
        environment: { RATE_LIMITS: 'off', ...externalSettings(postgres) },
      });
      await use(product);
      await product.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  baseURL: async ({ product }, use) => use(product.url),
  // A fresh list for each test, to which a test may add while it runs.
  expectedMessages: async ({ browserName: _browserName }, use) => use([]),
  cleanConsole: [
    async ({ context, expectedMessages }, use) => {
      const messages = watchConsole(context);
      await use();
      const unexpected = messages.filter((text) => !expectedMessages.some((pattern) => pattern.test(text)));
      expect(unexpected, 'the browser console stays clean').toEqual([]);
    },
    { auto: true },
  ],
});

/** On Postgres the API keys lie sealed in the database, so the tests bring their own. */
function externalSettings(postgres: PostgresServer | null): Record<string, string> {
  if (!postgres) return {};
  return {
    DATABASE_URL: postgres.databaseUrl,
    SECRETS_KEY: randomBytes(32).toString('base64url'),
    ANON_KEY: generateApiKey('publishable'),
    SERVICE_ROLE_KEY: generateApiKey('secret'),
  };
}

/** Collects what any page of this context prints. */
export function watchConsole(context: BrowserContext): string[] {
  const messages: string[] = [];
  context.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  context.on('weberror', (error) => messages.push(`uncaught: ${error.error().message}`));
  return messages;
}

export const password = 'lantern on the pier 7';

/** Sets the first administrator's password through the printed link; ends on the accounts screen. */
export async function setUpFirstAdministrator(page: Page, product: Instance): Promise<void> {
  const onProduct = product.firstLink.replace(/^https?:\/\/[^/]+/, product.url);
  await page.goto(onProduct);
  await expect(page.getByRole('heading', { name: 'Set Your Password' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Set Password & Continue' }).click();
  await expect(page).toHaveURL(/\/admin\/accounts/);
}
