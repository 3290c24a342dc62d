/** The Auth API on a new database with the tables of `db/platform` only, without a server and without the product. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { JWK } from 'jose';
import { pino } from 'pino';
import { createDatabaseClock } from '@lanternrock/postgres/clock';
import { openTestDatabase, type Engine } from '@lanternrock/testing/engines';
import { fingerprint } from '@lanternrock/testing/fingerprint';
import { hashWorker } from '@lanternrock/testing/paths';
import { createTestClock } from '@lanternrock/testing/test-clock';
import { createAuthService, type AuthService, type AuthServiceOptions } from '../../src/auth-service.ts';
import { loadKeys, readConfiguredKeys } from '../../src/keys/keys.ts';
import { readProviders } from '../../src/oauth-providers.ts';
import { createHasher } from '../../src/passwords/hasher.ts';
import { defaultAuthSettings, type AuthSettings } from '../../src/settings.ts';
import { createMailbox, type Mailbox } from './mailbox.ts';
import { createUser, signIn, type TestUser, type TokenResponse } from './users.ts';

export { eachEngine, type Engine } from '@lanternrock/testing/engines';
export type { TestUser } from './users.ts';

export const siteUrl = 'http://localhost:3000';

export interface AuthFixture extends Pick<Mailbox, 'emails' | 'emailsTo' | 'linksTo'> {
  readonly service: AuthService;
  /** Options of the service, to create another one on the same database. */
  readonly options: AuthServiceOptions;
  readonly database: AuthServiceOptions['database'];
  readonly anonKey: string;
  readonly serviceRoleKey: string;
  /** Calls the service; `path` begins with `/auth/v1`, or is a URL. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** For the published client: routes requests to `siteUrl` into the service. */
  readonly fetch: typeof fetch;
  /** Creates a confirmed user with a password. */
  createUser(user?: Partial<TestUser>): Promise<TestUser>;
  signIn(user: Pick<TestUser, 'email' | 'password'>): Promise<TokenResponse>;
  /** Returns a checksum of every table, to check that nothing changed. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}

export interface AuthFixtureOptions {
  /** Differences from the defaults. Rate limits are off. */
  readonly settings?: Partial<AuthSettings>;
  readonly now?: () => Date;
  /** Key of the access tokens (SIGNING_KEYS). Default: a generated key, which can be rotated. */
  readonly signingKey?: JWK;
}

export async function startAuth(
  engine: Engine,
  { settings = {}, now, signingKey }: AuthFixtureOptions = {},
): Promise<AuthFixture> {
  const { database, dataDir, dispose } = await openTestDatabase(engine, 'platform');
  const config: AuthSettings = {
    ...defaultAuthSettings,
    SITE_URL: siteUrl,
    JWT_ISSUER: `${siteUrl}/auth/v1`,
    PRODUCT_NAME: 'Lanternrock',
    RATE_LIMITS: false,
    // High enough that a busy machine does not cause a timeout.
    AUTH_TIMEOUT: 120_000,
    ...settings,
  };
  const log = pino({ level: 'silent' });
  const clock = now ? createTestClock(now) : createDatabaseClock();
  const keys = await createKeys({ database, dataDir, log, signingKey });
  const hasher = createHasher({ workerFile: hashWorker, log, timeoutMs: config.AUTH_TIMEOUT / 2 });
  const mailbox = await createMailbox(database);
  const providers = readProviders(config.OAUTH_PROVIDERS_FILE);
  const options = { config, database, keys, hasher, mailer: mailbox.mailer, providers, log, clock };
  const service = createAuthService(options);
  const send: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    const userAgent = request.headers.get('user-agent');
    return service.handle(request, { ip: '127.0.0.1', userAgent, requestId: randomUUID() });
  };
  const request: AuthFixture['request'] = (path, init) => send(new URL(path, siteUrl), init);
  return {
    ...mailbox,
    service,
    options,
    database,
    anonKey: keys.anonKey,
    serviceRoleKey: keys.serviceRoleKey,
    request,
    fetch: send,
    createUser: (user) => createUser(database, hasher, user),
    signIn: (user) => signIn({ request, anonKey: keys.anonKey }, user),
    fingerprint: () => fingerprint(database),
    close: async () => {
      hasher.close();
      await dispose();
    },
  };
}

type KeyOptions = Parameters<typeof loadKeys>[0];

async function createKeys({
  database,
  dataDir,
  log,
  signingKey,
}: Pick<KeyOptions, 'database' | 'log'> & {
  readonly dataDir: string;
  readonly signingKey: JWK | undefined;
}): ReturnType<typeof loadKeys> {
  const config = {
    SIGNING_KEYS: signingKey ? JSON.stringify(signingKey) : '',
    ANON_KEY: '',
    SERVICE_ROLE_KEY: '',
    DATABASE_URL: '',
    SECRETS_KEY: randomBytes(32).toString('base64url'),
    DATA_DIR: dataDir,
    MIGRATE: true,
  };
  return loadKeys({ config, configured: await readConfiguredKeys(config), database, log });
}
