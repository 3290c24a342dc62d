/** The invitation functions with their email components on a new database, behind the real HTTP routes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { pino } from 'pino';
import { type Database, sql } from '@lanternrock/postgres';
import { createAuditChain, type AuditChain } from '../../src/audit/audit-chain.ts';
import { openAuditKey } from '../../src/audit/audit-key.ts';
import type { AppEnv } from '../../src/http/context.ts';
import { principalForRole } from '../../../../packages/auth/src/sessions/authenticate.ts';
import { readConfig, type Config } from '../../src/config/settings.ts';
import { createSessionWatch } from '../../src/functions/session-watch.ts';
import { createFunctions } from '../../src/functions/functions-service.ts';
import type { Authenticate } from '../../../../packages/auth/src/auth-types.ts';
import { createInvitations, type Invitations } from '../../src/invitations/invitations.ts';
import { createEncryptor } from '../../../../packages/auth/src/keys/encryption.ts';
import { createEmailTransport } from '../../src/mail/email-transport.ts';
import { createOutbox, type Outbox } from '../../src/mail/outbox.ts';
import { createTestClock } from '@lanternrock/testing/test-clock';
import { openTestDatabase, type Engine } from '@lanternrock/testing/engines';
import { startMailServer, type MailServer } from './mail-server.ts';

export interface InvitationFixture {
  readonly database: Database;
  readonly config: Config;
  readonly outbox: Outbox;
  readonly invitations: Invitations;
  readonly auditChain: AuditChain;
  /** All log lines as one text. */
  readonly logged: () => string;
  /** Moves the clock of the service. */
  readonly clock: { ahead: number };
  /** Creates a user with an active session and returns the ID, which is also the bearer token of `call`. */
  createUser(options?: { email?: string; administrator?: boolean }): Promise<string>;
  call(body: unknown, as?: string, init?: RequestInit, name?: string): Promise<Response>;
  close(): Promise<void>;
}

export interface InvitationFixtureOptions {
  readonly settings?: Record<string, string>;
  /** Maximum duration of sending an email, in milliseconds. */
  readonly sendTimeoutMs?: number;
}

export async function openInvitationFixture(
  engine: Engine,
  { settings = {}, sendTimeoutMs = 2000 }: InvitationFixtureOptions = {},
): Promise<InvitationFixture> {
  const { database, dataDir, dispose } = await openTestDatabase(engine);
  const config = readConfig({ DATA_DIR: dataDir, SITE_URL: 'https://console.example.org', ...settings });
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const clock = { ahead: 0 };
  const testClock = createTestClock(() => new Date(Date.now() + clock.ahead));
  const now = testClock.read;
  const outbox = createOutbox({
    config,
    database,
    keys: createEncryptor(randomBytes(32)),
    log,
    now,
    transport: createEmailTransport(config, sendTimeoutMs),
  });
  const invitations = createInvitations({ config, database, outbox, log, now });
  const auditChain = createAuditChain({
    config,
    database,
    key: await openAuditKey({ getOrCreateSecret: async (_name, create) => create() }),
    enqueueReport: async () => {},
    log,
    now,
  });
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set('requestId', 'test-request');
    await next();
  });
  app.route(
    '/functions/v1',
    createFunctions({
      config,
      database,
      auth: {
        authenticate: bySessionId(database),
        // Tested with the whole service.
        requireFresh: async () => {},
        limitUser: async () => {},
      },
      auditChain,
      invitations,
      outbox,
      watch: createSessionWatch(database),
      log,
      clock: testClock,
    }),
  );
  return {
    database,
    config,
    outbox,
    invitations,
    auditChain,
    logged: () => lines.join(''),
    clock,
    createUser: (options) => createUser(database, options),
    call: async (body, as, init, name = 'send-user-invitation') =>
      app.request(`/functions/v1/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...(as ? { Authorization: `Bearer ${as}` } : {}) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
      }),
    close: async () => {
      await outbox.close();
      await dispose();
    },
  };
}

/** A fixture with an administrator, administrator@example.org, who remains after `reset`. */
export interface AdminFixture extends InvitationFixture {
  /** User ID and bearer token. */
  readonly admin: string;
  /**
   * Call before each test: deletes all other users, invitations, emails and settings, and resets the clock.
   */
  reset(): Promise<void>;
}

export async function openAdminFixture(
  engine: Engine,
  options?: InvitationFixtureOptions,
): Promise<AdminFixture> {
  const fixture = await openInvitationFixture(engine, options);
  const admin = await fixture.createUser({ administrator: true, email: 'administrator@example.org' });
  return {
    ...fixture,
    admin,
    reset: async () => {
      fixture.clock.ahead = 0;
      await fixture.database.query(sql`delete from private.deliveries`);
      await fixture.database.query(sql`delete from private.invitations`);
      await fixture.database.query(sql`delete from private.member_invitations`);
      await fixture.database.query(sql`delete from public.notification_settings`);
      await fixture.database.query(sql`delete from auth.users where id <> ${admin}`);
    },
  };
}

/** The same with a mail server, which accepts all emails again after `reset`. */
export interface EmailFixture extends AdminFixture {
  readonly mailServer: MailServer;
}

export async function openEmailFixture(
  engine: Engine,
  { settings = {}, ...options }: InvitationFixtureOptions = {},
): Promise<EmailFixture> {
  const mailServer = await startMailServer();
  const fixture = await openAdminFixture(engine, {
    ...options,
    settings: { SMTP_URL: mailServer.url, ...settings },
  });
  return {
    ...fixture,
    mailServer,
    reset: async () => {
      mailServer.behavior = { kind: 'accept' };
      mailServer.messages.length = 0;
      await fixture.reset();
    },
    close: async () => {
      await fixture.close();
      await mailServer.close();
    },
  };
}

/** Replaces the token verification: here a token is the ID of a user with one session. */
function bySessionId(database: Database): Authenticate {
  return async (headers) => {
    const token = headers.get('Authorization')?.replace('Bearer ', '') ?? '';
    if (token === '') return principalForRole('anon');
    if (!/^[0-9a-f-]{36}$/.test(token)) return { rejected: 'signature', message: 'JWT invalid' };
    const [session] = await database.query<{ id: string }>(
      sql`select id from auth.sessions where user_id = ${token}::uuid limit 1`,
    );
    const sessionId = session?.id ?? randomUUID();
    const claims = JSON.stringify({ role: 'authenticated', sub: token, session_id: sessionId, aal: 'aal1' });
    return { role: 'authenticated', claims, userId: token, sessionId, aal: 'aal1', expiresAt: null };
  };
}

async function createUser(
  database: Database,
  {
    email = `person-${randomUUID().slice(0, 8)}@example.org`,
    administrator = false,
  }: { email?: string; administrator?: boolean } = {},
): Promise<string> {
  const [user] = await database.query<{ id: string }>(
    sql`insert into auth.users (email, encrypted_password, email_confirmed_at) values (${email}, 'x', now()) returning id`,
  );
  const id = user?.id ?? '';
  await database.query(
    sql`insert into auth.sessions (user_id, refresh_token_key) values (${id}, ${Buffer.alloc(32)})`,
  );
  if (administrator) {
    // Established administrators: new ones cannot act on earlier ones.
    await database.query(sql`insert into public.user_roles (user_id, role, created_at)
      values (${id}, 'platform_admin', now() - interval '2 days')`);
  }
  return id;
}

/** Rows of every table that an invitation can change, to check that nothing changed. */
export async function invitationTables(database: Database): Promise<string> {
  const [row] = await database.query<{ all: string }>(
    sql`select concat_ws('|',
      (select string_agg(u::text, ',' order by id) from auth.users u),
      (select string_agg(i::text, ',' order by id) from auth.identities i),
      (select string_agg(r::text, ',' order by id) from public.user_roles r),
      (select string_agg(v::text, ',' order by id) from private.invitations v),
      (select string_agg(t::text, ',' order by token_hash) from private.invitation_tokens t),
      (select string_agg(v::text, ',' order by id) from private.member_invitations v),
      (select string_agg(t::text, ',' order by token_hash) from private.member_invitation_tokens t),
      (select string_agg(m::text, ',' order by id) from public.account_members m),
      (select string_agg(d::text, ',' order by id) from private.deliveries d)) as all`,
  );
  return row?.all ?? '';
}
