import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { readConfig } from '../src/config/settings.ts';
import { openService, type Service } from '../src/service.ts';
import {
  createAuthRequester,
  decodeClaims,
  type AuthResponse,
  type AuthRequester,
} from '@lanternrock/auth/test-support/auth-requests';
import { openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { asService } from '../src/administrators/email-action.ts';

describe('two replicas of the service on one Postgres database', { tags: ['REL-12'] }, () => {
  let base: TestDatabase;
  let services: Service[];
  let requesters: AuthRequester[];
  beforeAll(async () => {
    base = await openTestDatabase('postgres');
    const config = readConfig({
      DATA_DIR: base.dataDir,
      RATE_LIMITS: 'off',
      SECRETS_KEY: randomBytes(32).toString('base64url'),
    });
    const open = async (): Promise<Service> => {
      const database = await openExternal({
        url: base.url,
        poolSize: 10,
        connectionTimeoutMs: 10_000,
        onConnectionError: () => {},
      });
      return openService({ config, log: pino({ level: 'silent' }), database });
    };
    // Start both concurrently: the keys are created once.
    services = await Promise.all([open(), open()]);
    requesters = services.map((service) =>
      createAuthRequester({
        anonKey: service.keys.anonKey,
        request: async (path, init) => service.app.request(path, init),
      }),
    );
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.close()));
    await base.dispose();
  });

  const requesterFor = (index: number): AuthRequester => {
    const requester = requesters[index % requesters.length];
    if (!requester) throw new Error('no service');
    return requester;
  };
  const bearerFrom = (response: AuthResponse): string => String(response.json['access_token']);
  const accepted = async (email: string, password: string): Promise<AuthResponse> => {
    const { link } = (await services[0]?.invitations.createLink({
      authorize: asService,
      email,
      fullName: 'Guest',
    })) ?? {
      link: '',
    };
    const opened = await requesterFor(1)('POST', '/verify', {
      body: { type: 'invite', token_hash: new URL(link).searchParams.get('token_hash') },
    });
    await requesterFor(0)('PUT', '/user', { bearer: bearerFrom(opened), body: { password } });
    return requesterFor(1)('POST', '/token?grant_type=password', { body: { email, password } });
  };

  it('have the same keys', () => {
    expect(
      new Set(services.map(({ keys }) => `${keys.anonKey} ${keys.serviceRoleKey} ${keys.signing.generation}`))
        .size,
    ).toBe(1);
  });

  it('return one new token for twenty refreshes of one token on both', { tags: ['AUTH-21'] }, async () => {
    const session = await accepted('two1@example.org', 'a fine password');
    const body = { refresh_token: session.json['refresh_token'] };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        requesterFor(index)('POST', '/token?grant_type=refresh_token', { body }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(responses.map(({ json }) => json['refresh_token'])).size).toBe(1);
  });

  it('accept an invitation once on any replica', async () => {
    const email = 'two2@example.org';
    const { link } = (await services[0]?.invitations.createLink({
      authorize: asService,
      email,
      fullName: 'Guest',
    })) ?? {
      link: '',
    };
    const token_hash = new URL(link).searchParams.get('token_hash');
    const opened = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        requesterFor(index)('POST', '/verify', { body: { type: 'invite', token_hash } }),
      ),
    );
    const set = await Promise.all(
      opened.map((response, index) =>
        requesterFor(index + 1)('PUT', '/user', {
          bearer: bearerFrom(response),
          body: { password: `fine password ${index}` },
        }),
      ),
    );
    expect(set.filter(({ status }) => status === 200)).toHaveLength(1);
    const [row] = await base.database.query(sql`select count(*)::int as n from auth.audit_log_entries
      where payload ->> 'action' = 'invite_accepted' and payload ->> 'actor_username' = ${email}`);
    expect(row).toEqual({ n: 1 });
  });

  it('reject a session immediately after the other replica revoked it', { tags: ['AUTH-22'] }, async () => {
    const session = await accepted('two3@example.org', 'a fine password');
    expect((await requesterFor(0)('GET', '/user', { bearer: bearerFrom(session) })).status).toBe(200);
    await requesterFor(1)('POST', '/logout', { bearer: bearerFrom(session) });
    expect(await requesterFor(0)('GET', '/user', { bearer: bearerFrom(session) })).toMatchObject({
      status: 403,
      json: { code: 'session_not_found' },
    });
  });

  it('accept a key that the other replica created', { tags: ['AUTH-39'] }, async () => {
    const before = services[1]?.keys.signing.generation;
    await services[0]?.keys.rotate();
    await services[1]?.keys.reloadIfOlderThan(0);
    expect(services[1]?.keys.signing.generation).not.toBe(before);
    const session = await accepted('two4@example.org', 'a fine password');
    expect(decodeClaims(session.json)).toMatchObject({ email: 'two4@example.org' });
    expect((await requesterFor(0)('GET', '/user', { bearer: bearerFrom(session) })).status).toBe(200);
  });

  it('reject a key immediately after the other replica dropped it', { tags: ['AUTH-39'] }, async () => {
    const session = await accepted('two6@example.org', 'a fine password');
    expect((await requesterFor(1)('GET', '/user', { bearer: bearerFrom(session) })).status).toBe(200);
    await services[0]?.keys.rotate({ dropOld: true });
    await vi.waitFor(
      async () =>
        expect((await requesterFor(1)('GET', '/user', { bearer: bearerFrom(session) })).status).toBe(403),
      10_000,
    );
    expect(services[1]?.keys.signing.generation).toBe(services[0]?.keys.signing.generation);
  });

  it('purge expired rows only', async () => {
    const session = await accepted('two5@example.org', 'a fine password');
    await requesterFor(0)('POST', '/recover', { body: { email: 'two5@example.org' } });
    const { purgeExpired } = await import('../../../packages/auth/src/purge.ts');
    const config = readConfig({});
    await purgeExpired(base.database, config, new Date());
    expect((await requesterFor(1)('GET', '/user', { bearer: bearerFrom(session) })).status).toBe(200);
    const count = async () => base.database.query(sql`select count(*)::int as n from auth.one_time_tokens`);
    expect(await count()).toEqual([{ n: 1 }]);
    await purgeExpired(base.database, config, new Date(Date.now() + 3 * 86_400_000));
    expect(await count()).toEqual([{ n: 0 }]);
  });
});
