/** Two processes of the built service on one Postgres database, as behind a load balancer, with different clocks. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { freePort } from '@lanternrock/testing/free-port';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { runs } from '@lanternrock/testing/property-runs';
import { startMailServer, type MailServer } from '../support/mail-server.ts';
import { administrator, setUpAdministrator, signInAsAdministrator, type ApiClient } from './api-client.ts';

interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Seconds by which the clock of the second process is ahead. 70 minutes exceed every lease and the life of a token. */
const differences = [4200, 45, 60, 600, -600].slice(0, runs({ short: 1, long: 5 }));

describe.each(differences)(
  'two processes on one Postgres, %i s apart',
  { tags: ['REL-10', 'REL-12'] },
  (ahead) => {
    let postgres: PostgresServer;
    let database: pg.Client;
    let mailServer: MailServer;
    let replicas: readonly [Instance, Instance];
    let authPort: number;
    beforeAll(async () => {
      postgres = await startPostgres();
      mailServer = await startMailServer();
      database = new pg.Client(postgres.databaseUrl);
      await database.connect();
      const environment = {
        DATABASE_URL: postgres.databaseUrl,
        SECRETS_KEY: randomBytes(32).toString('base64url'),
        SITE_URL: 'http://localhost:3000',
        SMTP_URL: mailServer.url,
      };
      const shifted = {
        NODE_OPTIONS: `--import ${new URL('shift-clock.mjs', import.meta.url).href}`,
        CLOCK_AHEAD_SECONDS: String(ahead),
      };
      // Concurrently, on an empty database.
      authPort = await freePort();
      replicas = await Promise.all([
        startInstance({ environment: { ...environment, AUTH_PORT: String(authPort) } }),
        startInstance({ environment: { ...environment, ...shifted } }),
      ]);
    });
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await database.end();
      await mailServer.close();
      await postgres.stop();
    });

    const post = async (replica: Instance, path: string, body: unknown, token?: string): Promise<Response> =>
      fetch(`${replica.url}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(token ? { Authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(body),
      });
    const signIn = async (replica: Instance): Promise<Session> =>
      (await (await post(replica, '/auth/v1/token?grant_type=password', administrator)).json()) as Session;
    const userOn = async (replica: Instance, token: string): Promise<number> =>
      (await fetch(`${replica.url}/auth/v1/user`, { headers: { Authorization: `Bearer ${token}` } })).status;

    it('migrate an empty database once', { tags: ['OPS-23'] }, async () => {
      const applied = replicas.map((replica) =>
        (/"applied":\[([^\]]*)\]/.exec(replica.log())?.[1] ?? '').split(',').filter(Boolean),
      );
      const all = applied.flat();
      expect(all.length).toBeGreaterThan(10);
      expect(new Set(all).size).toBe(all.length);
      const status = await Promise.all(replicas.map((replica) => fetch(`${replica.url}/ready`)));
      expect(status.map((response) => response.status)).toEqual([200, 200]);
    });

    it('have commands that report a database error in one line', async () => {
      const away = new URL(postgres.databaseUrl);
      away.pathname = '/nowhere';
      const environment = {
        DATABASE_URL: away.href,
        SECRETS_KEY: randomBytes(32).toString('base64url'),
        DATA_DIR: replicas[0].dataDir,
        PORT: '0',
      };
      for (const name of ['status', 'start'])
        expect([name, await runCommand([name], environment)]).toEqual([
          name,
          {
            code: 1,
            output:
              'The database of DATABASE_URL is unavailable: database "nowhere" does not exist. Check the name of the database in DATABASE_URL, or create it.\n',
          },
        ]);
    });

    it(
      'create one first administrator: both printed a link, the password is set once',
      { tags: ['OPS-09'] },
      async () => {
        const links = replicas.map((replica) => replica.firstLink);
        expect(links.every((link) => link.includes('token_hash='))).toBe(true);
        const outcomes = await Promise.allSettled(replicas.map((replica) => setUpAdministrator(replica)));
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(await userOn(replicas[1], (await signIn(replicas[0])).access_token)).toBe(200);
      },
    );

    it('refresh a session on alternating replicas', { tags: ['AUTH-21'] }, async () => {
      let session = await signIn(replicas[0]);
      for (let turn = 0; turn < 10; turn += 1) {
        const replica = replicas[turn % 2] ?? replicas[0];
        const response = await post(replica, '/auth/v1/token?grant_type=refresh_token', {
          refresh_token: session.refresh_token,
        });
        expect(response.status).toBe(200);
        session = (await response.json()) as Session;
      }
      expect(await userOn(replicas[0], session.access_token)).toBe(200);
    });

    it('reject a session immediately after the other replica revoked it', { tags: ['AUTH-22'] }, async () => {
      const { access_token: token } = await signIn(replicas[0]);
      const listed = async (): Promise<number> =>
        (
          await fetch(`${replicas[1].url}/rest/v1/accounts`, {
            headers: { Authorization: `Bearer ${token}` },
          })
        ).status;
      expect([await userOn(replicas[1], token), await listed()]).toEqual([200, 200]);
      await post(replicas[0], '/auth/v1/logout', {}, token);
      expect([await userOn(replicas[1], token), await listed()]).toEqual([403, 401]);
    });

    it(
      'accept tokens of a key that the other replica has just created, and reject dropped ones',
      { tags: ['AUTH-39'] },
      async () => {
        const before = await signIn(replicas[1]);
        expect((await replicas[0].command('keys', 'rotate')).code).toBe(0);
        // A third process created the key. Tokens of either replica stay valid on both, regardless of the key that
        // they have loaded.
        const after = await signIn(replicas[0]);
        expect(await userOn(replicas[1], after.access_token)).toBe(200);
        expect(await userOn(replicas[0], before.access_token)).toBe(200);
      },
    );

    it('send each of 12 recovery emails and the invitation once', { tags: ['REL-08'] }, async () => {
      // Each email is being sent when the other process looks for due ones.
      mailServer.behavior = { kind: 'accept later', delayMs: 1500 };
      const users = Array.from({ length: 12 }, (_, index) => `user-${index}@example.org`);
      await database.query(
        `insert into auth.users (email, encrypted_password, email_confirmed_at) select unnest($1::text[]), 'x', now()`,
        [users],
      );
      const { access_token: token } = await signIn(replicas[0]);
      const guest = { email: 'guest@example.org', full_name: 'Guest' };
      const responses = await Promise.all([
        post(replicas[0], '/functions/v1/send-user-invitation', guest, token),
        ...users.map((email, index) =>
          post(index % 2 === 0 ? replicas[0] : replicas[1], '/auth/v1/recover', { email }),
        ),
      ]);
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      const readStatuses = async (): Promise<Record<string, number>> => {
        const { rows } = await database.query<{ status: string; count: number }>(
          `select status, count(*)::int from private.deliveries where kind in ('recovery', 'invitation')
         group by status`,
        );
        return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
      };
      await expect.poll(readStatuses, { timeout: 60_000 }).toEqual({ handed_over: 13 });
      const expected = [...users, guest.email];
      const recipients = mailServer.messages.flatMap(({ to }) => to).filter((to) => expected.includes(to));
      expect(recipients.sort()).toEqual(expected.sort());
      mailServer.behavior = { kind: 'accept' };
    });

    it('accept the freshness of a session and a code of the other process', async () => {
      const { access_token: token } = await signIn(replicas[0]);
      const factor = { factor_type: 'totp', friendly_name: 'Phone' };
      expect((await post(replicas[1], '/auth/v1/factors', factor, token)).status).toBe(200);
      const user = 'user-3@example.org';
      const mail = mailServer.messages.find(({ to }) => to.includes(user));
      const code = /\b\d{6}\b/.exec(mail?.raw.replace(/^[\s\S]*?\r?\n\r?\n/, '') ?? '')?.[0];
      const verified = await post(replicas[0], '/auth/v1/verify', {
        type: 'recovery',
        email: user,
        token: code,
      });
      expect(verified.status).toBe(200);
    });

    it('count wrong passwords together', { tags: ['AUTH-01'] }, async () => {
      const body = { email: 'unknown@example.org', password: 'wrong password' };
      // Concurrently: hashing them one after the other can take longer than the counted minute.
      const responses = await Promise.all(
        Array.from({ length: 14 }, (_, turn) =>
          post(replicas[turn % 2] ?? replicas[0], '/auth/v1/token?grant_type=password', body),
        ),
      );
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429, 429, 429]);
    });

    it('continue when one of them is killed', async () => {
      const client: ApiClient = await signInAsAdministrator(replicas[0]);
      await replicas[1].kill('SIGKILL');
      expect((await client.call('/rest/v1/accounts')).status).toBe(200);
      expect((await fetch(`${replicas[0].url}/ready`)).status).toBe(200);
    });

    it('serve the Auth API at the root of AUTH_PORT, and nothing else', async () => {
      const [first] = replicas;
      const at = `http://127.0.0.1:${authPort}`;
      const settings = (await (await fetch(`${at}/settings`)).json()) as Record<string, unknown>;
      expect(settings).toHaveProperty('disable_signup');
      expect((await fetch(`${at}/health`)).status).toBe(200);
      expect((await fetch(`${at}/.well-known/jwks.json`)).status).toBe(200);
      const signedIn = await fetch(`${at}/token?grant_type=password`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(administrator),
      });
      expect(signedIn.status).toBe(200);
      for (const path of [
        '/rest/v1/accounts',
        '/functions/v1/send-user-invitation',
        '/mailbox',
        '/metrics',
        '/auth',
      ])
        expect([path, (await fetch(`${at}${path}`)).status]).toEqual([path, 404]);
      const { code } = await first.command('status');
      expect(code).toBe(0);
      await first.stop();
      await expect(fetch(`${at}/settings`)).rejects.toThrow('fetch failed');
    });
  },
);
