import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { deleteExpired } from '@lanternrock/postgres/delete-expired';
import { createAuthService } from '../src/auth-service.ts';
import {
  createAuthRequester,
  createDirectRequester,
  decodeClaims,
  type AuthRequester,
} from './support/auth-requests.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

eachEngine('session settings', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  // The database compares the session expiry with its own clock, so the clock of the test must not be ahead.
  let clock = Date.now() - 86_400_000;
  const now = (): Date => new Date(clock);
  beforeAll(async () => {
    test = await startAuth(engine, {
      now,
      settings: { SESSION_SINGLE: true, SESSION_LOW_AAL: 600, AUDIT_RETENTION: 30 },
    });
    auth = createAuthRequester(test);
  });
  beforeEach(async () => {
    clock += 90_000;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  const refresh = (session: { refresh_token?: unknown }) =>
    auth('POST', '/token?grant_type=refresh_token', { body: { refresh_token: session.refresh_token } });

  it('SESSION_SINGLE: revokes older sessions immediately on a new sign-in, and a refresh returns the reason', async () => {
    const older = await test.signIn(ann);
    const other = await test.signIn(await test.createUser());
    clock += 1000;
    const newer = await test.signIn(ann);
    expect(await auth('GET', '/user', { bearer: older.access_token })).toMatchObject({
      status: 403,
      json: { code: 'session_not_found' },
    });
    expect(await refresh(older)).toMatchObject({
      status: 400,
      json: {
        code: 'session_expired',
        message: 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)',
      },
    });
    expect((await refresh(newer)).status).toBe(200);
    expect((await refresh(other)).status).toBe(200);
  });

  it('SESSION_LOW_AAL: requires the second factor of an enrolled user in time', async () => {
    const first = await test.signIn(ann);
    expect(first).toMatchObject({ expires_in: 3600 });
    const factor = await addSecondFactor(auth, first.access_token, now);
    clock += 90_000;
    const waiting = await test.signIn(ann);
    expect(waiting).toMatchObject({ expires_in: 600 });
    expect(decodeClaims(waiting)).toMatchObject({ exp: Math.floor(clock / 1000) + 600 });
    clock += 400_000;
    const renewed = await refresh(waiting);
    expect(renewed.json).toMatchObject({ expires_in: expect.toSatisfy((left: number) => left <= 200) });
    clock += 201_000;
    expect(await refresh(renewed.json)).toMatchObject({
      status: 400,
      json: {
        code: 'session_expired',
        message: 'Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)',
      },
    });
    const again = await test.signIn(ann);
    const elevated = await factor.verifyCode(again.access_token);
    expect(elevated.json).toMatchObject({ expires_in: 3600 });
    clock += 3_000_000;
    expect((await refresh(elevated.json)).status).toBe(200);
  });

  it('AUDIT_RETENTION: purges older sign-in records and keeps others', async () => {
    const old = new Date(clock - 31 * 86_400_000);
    await test.database.query(
      sql`insert into auth.audit_log_entries (payload, created_at) values ('{"action":"login"}', ${old})`,
    );
    const count = async () =>
      test.database.query(sql`select
        count(*) filter (where created_at <= ${old})::int as older,
        count(*) filter (where created_at > ${old})::int as newer from auth.audit_log_entries`);
    await test.signIn(ann);
    const [before] = await count();
    expect(before).toMatchObject({ older: 1 });
    expect(before).not.toMatchObject({ newer: 0 });
    await test.service.purge();
    expect(await count()).toEqual([{ ...before, older: 0 }]);
  });

  it('the purge keeps what it has deleted when a later part fails', async () => {
    const old = new Date(clock - 31 * 86_400_000);
    await test.database.query(
      sql`insert into auth.audit_log_entries (payload, created_at)
          select '{"action":"login"}', ${old}::timestamptz from generate_series(1, 12)`,
    );
    await test.signIn(ann);
    await test.database.query(sql`update auth.sessions set not_after = ${old} where user_id = ${ann.id}`);
    const script = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await script(`create function public.refuse() returns trigger language plpgsql
        as 'begin raise exception ''refused''; end';
      create trigger refuse before delete on auth.sessions for each row execute function public.refuse()`);
    const older = () =>
      test.database.query(sql`select 1 from auth.audit_log_entries where created_at <= ${old}`);
    expect(await older()).toHaveLength(12);
    await deleteExpired(test.database, 'auth.audit_log_entries', sql`created_at <= ${old}`, 5);
    expect(await older()).toHaveLength(0);
    await test.database.query(
      sql`insert into auth.audit_log_entries (payload, created_at) values ('{"action":"login"}', ${old})`,
    );
    await expect(test.service.purge()).rejects.toMatchObject({ code: 'P0001' });
    expect(await older()).toHaveLength(0);
    await script('drop trigger refuse on auth.sessions; drop function public.refuse()');
    await test.service.purge();
    expect(await test.database.query(sql`select 1 from auth.sessions where not_after <= ${old}`)).toEqual([]);
  });
});

eachEngine('every request to the Auth API', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let bearer: string;
  beforeAll(async () => {
    test = await startAuth(engine);
    auth = createAuthRequester(test);
    bearer = (await test.signIn(await test.createUser())).access_token;
  });
  afterAll(() => test.close());

  it('returns 504 when the database is too slow and keeps the session', async () => {
    const config = { ...test.options.config, AUTH_TIMEOUT: 300 };
    const slow = createAuthService({ ...test.options, config });
    const shortTimeout = createDirectRequester(slow, test.anonKey);
    const response = await test.database.transaction(async (tx) => {
      await tx.query(sql`lock table auth.users in access exclusive mode`);
      return shortTimeout('GET', '/user', { bearer });
    });
    expect(response).toMatchObject({
      status: 504,
      json: {
        code: 'request_timeout',
        message: 'Processing this request timed out, please retry after a moment.',
      },
    });
    expect((await auth('GET', '/user', { bearer })).status).toBe(200);
  });

  describe('with an audience', () => {
    const withAudience = (audience: string) =>
      auth('GET', '/user', { bearer, headers: { 'X-JWT-AUD': audience } });

    it.each(['authenticated', ''])('accepts "%s"', async (audience) => {
      expect((await withAudience(audience)).status).toBe(200);
    });

    it.each(['other', 'Authenticated', 'authenticated, other'])(
      'rejects "%s"',
      { tags: ['AUTH-38'] },
      async (audience) => {
        expect(await withAudience(audience)).toMatchObject({
          status: 400,
          json: { code: 'validation_failed', message: "Token audience doesn't match request audience" },
        });
      },
    );
  });

  it('rejects a body that is too large, in either error format', async () => {
    const body = { email: 'a@b.co', password: 'x'.repeat(1_100_000) };
    const before = await test.fingerprint();
    expect(await auth('POST', '/token?grant_type=password', { body })).toMatchObject({
      status: 413,
      json: { code: 'request_entity_too_large' },
    });
    expect(await auth('POST', '/token?grant_type=password', { body, version: null })).toMatchObject({
      status: 413,
      json: { code: 413, error_code: 'request_entity_too_large' },
    });
    expect(await test.fingerprint()).toBe(before);
  });

  it('resolves the keys from the issuer only', async () => {
    const response = await test.request('/auth/v1/.well-known/openid-configuration');
    const { issuer, jwks_uri } = (await response.json()) as { issuer: string; jwks_uri: string };
    expect(issuer).toBe(`${siteUrl}/auth/v1`);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=600');
    const keys = await test.request(new URL(jwks_uri).pathname);
    expect(await keys.json()).toMatchObject({ keys: [{ kid: expect.any(String) }] });
  });
});
