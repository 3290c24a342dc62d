import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { eachEngine, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

eachEngine('refreshing a session', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let clock = Date.now();
  beforeAll(async () => {
    test = await startAuth(engine, {
      now: () => new Date(clock),
      settings: { SESSION_INACTIVITY: 86400, SESSION_TIMEBOX: 604800 },
    });
    auth = createAuthRequester(test);
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  const refresh = (token: unknown) =>
    auth('POST', '/token?grant_type=refresh_token', { body: { refresh_token: token } });
  const tokenFrom = (json: Record<string, unknown>): string => String(json['refresh_token']);
  const sessionExists = async (session: Record<string, unknown>): Promise<boolean> => {
    const rows = await test.database.query(
      sql`select from auth.sessions where id = ${String(decodeClaims(session)['session_id'])}`,
    );
    return rows.length === 1;
  };

  it('returns a new pair and keeps the session, its level and its methods', { tags: ['C238'] }, async () => {
    const first = await test.signIn(ann);
    const { status, json } = await refresh(first.refresh_token);
    expect(status).toBe(200);
    expect(tokenFrom(json)).not.toBe(first.refresh_token);
    const [before, after] = [decodeClaims(first), decodeClaims(json)];
    expect(after).toMatchObject({ session_id: before['session_id'], aal: 'aal1', amr: before['amr'] });
    expect(json).toMatchObject({ user: { id: ann.id } });
  });

  it(
    'returns the same new token for ten concurrent refreshes of one token',
    { tags: ['AUTH-21'] },
    async () => {
      const first = await test.signIn(ann);
      const responses = await Promise.all(Array.from({ length: 10 }, () => refresh(first.refresh_token)));
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
      expect(new Set(responses.map(({ json }) => tokenFrom(json))).size).toBe(1);
      expect((await refresh(tokenFrom(responses[0]?.json ?? {}))).status).toBe(200);
    },
  );

  it(
    'returns the active token again for its parent, without a time limit',
    { tags: ['AUTH-28'] },
    async () => {
      const first = await test.signIn(ann);
      const second = tokenFrom((await refresh(first.refresh_token)).json);
      expect(tokenFrom((await refresh(first.refresh_token)).json)).toBe(second);
      clock += 3_600_000;
      expect(tokenFrom((await refresh(first.refresh_token)).json)).toBe(second);
    },
  );

  it('returns the active token for an older one within the reuse interval', async () => {
    const first = await test.signIn(ann);
    const second = await refresh(first.refresh_token);
    const third = await refresh(tokenFrom(second.json));
    expect(tokenFrom((await refresh(first.refresh_token)).json)).toBe(tokenFrom(third.json));
  });

  it('revokes the session when an older token is reused later', { tags: ['AUTH-20'] }, async () => {
    const first = await test.signIn(ann);
    const second = await refresh(first.refresh_token);
    const third = await refresh(tokenFrom(second.json));
    clock += 11_000;
    expect(await refresh(first.refresh_token)).toMatchObject({
      status: 400,
      json: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
    });
    expect(await sessionExists(first)).toBe(false);
    expect(await refresh(tokenFrom(third.json))).toMatchObject({
      status: 400,
      json: { code: 'session_not_found' },
    });
    const user = await auth('GET', '/user', { bearer: String(third.json['access_token']) });
    expect(user).toMatchObject({ status: 403, json: { code: 'session_not_found' } });
    const rows = await test.database.query(
      sql`select from auth.audit_log_entries where payload ->> 'action' = 'token_reused' and payload ->> 'actor_id' = ${ann.id}`,
    );
    expect(rows).toHaveLength(1);
  });

  it('expires after inactivity and after the maximum lifetime', { tags: ['AUTH-29'] }, async () => {
    const idle = await test.signIn(ann);
    clock += 86_400_000 + 1000;
    expect(await refresh(idle.refresh_token)).toMatchObject({
      status: 400,
      json: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired (Inactivity)' },
    });
    const long = await test.signIn(ann);
    let token = long.refresh_token;
    for (let day = 0; day < 8; day += 1) {
      clock += 80_000_000;
      token = tokenFrom((await refresh(token)).json);
    }
    expect(token).toBe('undefined');
    expect(await refresh(long.refresh_token)).toMatchObject({
      json: { code: 'session_expired', message: 'Invalid Refresh Token: Session Expired' },
    });
  });

  it('rejects banned users', { tags: ['AUTH-24'] }, async () => {
    const banned = await test.createUser();
    const session = await test.signIn(banned);
    await test.database.query(
      sql`update auth.users set banned_until = ${new Date(clock + 60_000)} where id = ${banned.id}`,
    );
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 400,
      json: { code: 'user_banned', message: 'Invalid Refresh Token: User Banned' },
    });
  });

  it('rejects invalid tokens and changes nothing', { tags: ['AUTH-30'] }, async () => {
    const session = await test.signIn(ann);
    const bytes = Buffer.from(session.refresh_token, 'base64url');
    const ahead = Buffer.from(bytes);
    ahead.writeUIntBE(5, 17, 6);
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8((flipped[30] ?? 0) ^ 1, 30);
    const before = await test.fingerprint();
    const junk = [
      '',
      'short',
      "' or 1=1--",
      'a'.repeat(63),
      session.access_token,
      ahead.toString('base64url'),
      flipped.toString('base64url'),
      'x'.repeat(10_000),
    ];
    for (const token of junk) {
      const { status, json } = await refresh(token);
      expect({ status, code: json['code'] }).toEqual({
        status: 400,
        code: expect.stringMatching(/^(validation_failed|refresh_token_not_found)$/),
      });
    }
    expect((await refresh({ $ne: '' })).status).toBe(400);
    expect(await test.fingerprint()).toBe(before);
    expect((await refresh(session.refresh_token)).status).toBe(200);
  });

  it('keeps revoked sessions revoked after a restart of the service', { tags: ['AUTH-27'] }, async () => {
    const session = await test.signIn(ann);
    await auth('POST', '/logout?scope=local', { bearer: session.access_token });
    await test.options.keys.reload();
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 400,
      json: { code: 'session_not_found' },
    });
  });
});
