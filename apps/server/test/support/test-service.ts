/** The whole service on a new database, called in process through `app.request()`. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { type Database, sql } from '@lanternrock/postgres';
import { readConfig, type Config } from '../../src/config/settings.ts';
import { openService, type Service } from '../../src/service.ts';
import { openTestDatabase, type Engine } from '@lanternrock/testing/engines';
import { fingerprint } from '@lanternrock/testing/fingerprint';
import { createTestClock } from '@lanternrock/testing/test-clock';
import { createUser, signIn, type TestUser, type TokenResponse } from '@lanternrock/auth/test-support/users';

export type { TestUser } from '@lanternrock/auth/test-support/users';
export { eachEngine, type Engine } from '@lanternrock/testing/engines';

export const siteUrl = 'http://localhost:3000';

export interface TestService {
  readonly service: Service;
  readonly config: Config;
  readonly database: Database;
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Calls the app; `path` begins with a slash. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** For the published clients: routes requests to `siteUrl` into the app. */
  readonly fetch: typeof fetch;
  /** Creates a confirmed user with a password, optionally with the administrator role. */
  createUser(
    user?: Partial<TestUser> & {
      isAdministrator?: boolean;
      /** Age of the role. The default is that of an established administrator, all of the same age. */
      roleAgeHours?: number;
      fullName?: string;
    },
  ): Promise<TestUser>;
  signIn(user: Pick<TestUser, 'email' | 'password'>): Promise<TokenResponse>;
  /** Returns the captured emails, oldest first, after the outbox is empty. */
  emails(): Promise<Email[]>;
  /** Returns a checksum of every product and auth table, to check that nothing changed. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  readonly settings?: Record<string, string>;
  readonly now?: () => Date;
  /** Receives the log lines. */
  readonly onLog?: (line: string) => void;
}

export async function startTestService(
  engine: Engine,
  { settings = {}, now, onLog }: TestServiceOptions = {},
): Promise<TestService> {
  const { database, dataDir, dispose } = await openTestDatabase(engine);
  const config = readConfig({
    DATA_DIR: dataDir,
    SITE_URL: siteUrl,
    RATE_LIMITS: 'off',
    // High enough that a busy machine does not cause a timeout.
    AUTH_TIMEOUT: '120000',
    SECRETS_KEY: randomBytes(32).toString('base64url'),
    ...settings,
  });
  const service = await openService({
    config,
    log: onLog ? pino({ level: 'info' }, { write: onLog }) : pino({ level: 'silent' }),
    database,
    ...(now ? { clock: createTestClock(now) } : {}),
  });
  const request = async (input: string, init?: RequestInit): Promise<Response> =>
    service.app.request(input, init, { incoming: { socket: { remoteAddress: '127.0.0.1' } } });
  return {
    service,
    config,
    database,
    anonKey: service.keys.anonKey,
    serviceRoleKey: service.keys.serviceRoleKey,
    request,
    fetch: async (input, init) => {
      return service.app.request(new Request(input, init), undefined, {
        incoming: { socket: { remoteAddress: '127.0.0.1' } },
      });
    },
    createUser: async ({ isAdministrator = false, roleAgeHours = 48, ...user } = {}) => {
      const created = await createUser(database, service.hasher, user);
      if (isAdministrator)
        await database.query(
          sql`insert into public.user_roles (user_id, role, created_at)
              values (${created.id}, 'platform_admin', now() - make_interval(hours => ${roleAgeHours}::int))`,
        );
      return created;
    },
    signIn: (user) => signIn({ request, anonKey: service.keys.anonKey }, user),
    emails: async () => {
      await service.outbox.idle();
      return readEmails(path.join(dataDir, 'mailbox'));
    },
    fingerprint: async () => {
      // Queued emails of earlier actions would change a row in between.
      await service.outbox.idle();
      return fingerprint(database);
    },
    close: async () => {
      await service.close();
      await dispose();
    },
  };
}

async function readEmails(directory: string): Promise<Email[]> {
  if (!fs.existsSync(directory)) return [];
  const files = fs
    .readdirSync(directory)
    .filter((name) => name.endsWith('.eml'))
    .sort();
  return Promise.all(files.map((name) => PostalMime.parse(fs.readFileSync(path.join(directory, name)))));
}
