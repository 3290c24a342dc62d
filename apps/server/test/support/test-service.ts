/** The whole service on a new database, called in process through `app.request()`. */
import { randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { type Database, sql } from '@lanternrock/postgres';
import { readConfig, type Config } from '../../src/config/settings.ts';
import { openService, type Service } from '../../src/service.ts';
import { openTestDatabase, type Engine } from '@lanternrock/testing/engines';

export { eachEngine, type Engine } from '@lanternrock/testing/engines';

export const siteUrl = 'http://localhost:3000';

export interface TestUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

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
  createUser(user?: Partial<TestUser> & { platformAdmin?: boolean; fullName?: string }): Promise<TestUser>;
  /** @returns the token response */
  signIn(user: TestUser): Promise<{ access_token: string; refresh_token: string; [field: string]: unknown }>;
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
    ...(now ? { now } : {}),
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
    createUser: async (user) => createUser(database, service, user),
    signIn: async ({ email, password }) => {
      const response = await request('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', apikey: service.keys.anonKey },
        body: JSON.stringify({ email, password }),
      });
      if (response.status !== 200)
        throw new Error(`the sign-in returned ${response.status}: ${await response.text()}`);
      return (await response.json()) as Awaited<ReturnType<TestService['signIn']>>;
    },
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

const hashes = new Map<string, Promise<string>>();

/** Hashes each password once: most users of a test file share it, and hashing is slow on purpose. */
function hashCached({ hasher }: Service, password: string): Promise<string> {
  const known = hashes.get(password) ?? hasher.hash(password);
  hashes.set(password, known);
  return known;
}

async function createUser(
  database: Database,
  service: Service,
  {
    email = `user-${randomUUID().slice(0, 8)}@example.org`,
    password = 'correct horse 1',
    platformAdmin = false,
    fullName = 'Test Person',
  }: Partial<TestUser> & { platformAdmin?: boolean; fullName?: string } = {},
): Promise<TestUser> {
  const hash = await hashCached(service, password);
  const appData = { provider: 'email', providers: ['email'] };
  return database.transaction(async (tx) => {
    const [row] = await tx.query<{ id: string }>(
      sql`insert into auth.users (email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
          values (${email}, ${hash}, now(), ${JSON.stringify(appData)}, ${JSON.stringify({ full_name: fullName })})
          returning id`,
    );
    if (!row) throw new Error('no user');
    await tx.query(
      sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
          values (${row.id}, 'email', ${row.id}::text,
                  jsonb_build_object('sub', ${row.id}::text, 'email', ${email}::text, 'email_verified', true))`,
    );
    if (platformAdmin) {
      await tx.query(sql`insert into public.user_roles (user_id, role) values (${row.id}, 'platform_admin')`);
    }
    return { id: row.id, email, password };
  });
}

async function readEmails(directory: string): Promise<Email[]> {
  if (!fs.existsSync(directory)) return [];
  const files = fs
    .readdirSync(directory)
    .filter((name) => name.endsWith('.eml'))
    .sort();
  return Promise.all(files.map((name) => PostalMime.parse(fs.readFileSync(path.join(directory, name)))));
}

async function fingerprint(database: Database): Promise<string> {
  // Every product and auth table. Failed sign-ins may add audit rows.
  const tables = await database.query<{ name: string }>(
    sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('public', 'private', 'auth')
          and tablename not in ('audit_log_entries', 'rate_limits') order by 1`,
  );
  const sums: string[] = [];
  for (const { name } of tables) {
    const [row] = await database.query<{ sum: string }>({
      text: `select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from ${name} t`,
      values: [],
    });
    sums.push(`${name}=${row?.sum ?? ''}`);
  }
  return sums.join('\n');
}
