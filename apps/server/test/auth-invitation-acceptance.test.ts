import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import {
  createAuthRequester,
  decodeClaims,
  type AuthRequester,
} from '@lanternrock/auth/test-support/auth-requests';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { linksIn } from './support/email-links.ts';
import { asService } from '../src/administrators/email-action.ts';

let counter = 0;

eachEngine('accepting an invitation', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let email: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    auth = createAuthRequester(test);
  });
  beforeEach(() => {
    counter += 1;
    email = `guest${counter}@example.org`;
  });
  afterAll(() => test.close());

  const invite = async (invitee = email): Promise<string> => {
    const { link } = await test.service.invitations.createLink({
      authorize: asService,
      email: invitee,
      fullName: 'Guest Person',
    });
    return new URL(link).searchParams.get('token_hash') ?? '';
  };
  const open = (token: string) => auth('POST', '/verify', { body: { type: 'invite', token_hash: token } });
  const bearerFrom = (response: { json: Record<string, unknown> }): string =>
    String(response.json['access_token']);
  const setPassword = (bearer: string, password = 'a fine password') =>
    auth('PUT', '/user', { bearer, body: { password } });
  const state = async () => {
    const [row] = await test.database.query<{
      status: string;
      roles: number;
      accepted: number;
    }>(sql`select i.status,
      (select count(*)::int from public.user_roles r where r.user_id = i.user_id) as roles,
      (select count(*)::int from auth.audit_log_entries
        where payload ->> 'action' = 'invite_accepted' and payload ->> 'actor_id' = i.user_id::text) as accepted
      from private.invitations i where i.email = ${email}`);
    return row;
  };

  it(
    'does not consume the link or confirm the user when the link is opened',
    { tags: ['AUTH-40'] },
    async () => {
      const token = await invite();
      const sessions = [await open(token), await open(token), await open(token)];
      expect(sessions.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(await state()).toEqual({ status: 'pending', roles: 0, accepted: 0 });
      const [user] = await test.database.query(
        sql`select email_confirmed_at from auth.users where email = ${email}`,
      );
      expect(user).toEqual({ email_confirmed_at: null });
    },
  );

  it('restricts the session until the password is set', async () => {
    const session = await open(await invite());
    expect(session.json).toMatchObject({ user: { app_metadata: { setup_required: true } } });
    expect(decodeClaims(session.json)['app_metadata']).toMatchObject({ setup_required: true });
    const bearer = bearerFrom(session);
    expect((await auth('GET', '/user', { bearer })).status).toBe(200);
    expect(await auth('PUT', '/user', { bearer, body: { email: 'other@example.org' } })).toMatchObject({
      status: 403,
      json: { code: 'password_not_set' },
    });
    const refreshed = await auth('POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: session.json['refresh_token'] },
    });
    expect(decodeClaims(refreshed.json)['app_metadata']).toMatchObject({ setup_required: true });
    const [row] = await test.database.query<{ id: string; user_id: string }>(
      sql`select id, user_id from auth.sessions where id = ${String(decodeClaims(session.json)['session_id'])}`,
    );
    await expect(
      test.database.query(sql`select auth.require_live_session(${row?.id}, ${row?.user_id}, 'aal1')`),
    ).rejects.toMatchObject({ code: 'LR003' });
  });

  it('grants the role and full access when the password is set', async () => {
    const session = await open(await invite());
    const { status, json } = await setPassword(bearerFrom(session));
    expect(status).toBe(200);
    expect(json).toMatchObject({
      email,
      app_metadata: { provider: 'email' },
      email_confirmed_at: expect.any(String),
    });
    expect(json['app_metadata']).not.toHaveProperty('setup_required');
    expect(await state()).toEqual({ status: 'accepted', roles: 1, accepted: 1 });
    const { session_id, sub } = decodeClaims(session.json);
    await test.database.query(sql`select auth.require_live_session(${session_id}, ${sub}, 'aal1')`);
    const signedIn = await test.signIn({ email, password: 'a fine password' });
    expect(decodeClaims(signedIn)['app_metadata']).not.toHaveProperty('setup_required');
  });

  it('records in the audit log who accepted', async () => {
    const bearer = bearerFrom(await open(await invite()));
    await setPassword(bearer);
    const { sub } = decodeClaims({ access_token: bearer });
    const entry = { actor: sub, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    const changes = await test.database.query(
      sql`select table_name, action, actor, request_id from private.audit_log
          where table_name = 'public.user_roles' and after ->> 'user_id' = ${sub}
             or table_name = 'private.invitations' and after ->> 'status' = 'accepted' and after ->> 'email' = ${email}
          order by id`,
    );
    expect(changes).toEqual([
      { table_name: 'private.invitations', action: 'UPDATE', ...entry },
      { table_name: 'public.user_roles', action: 'INSERT', ...entry },
    ]);
  });

  it('keeps the invitation open when the data is rejected', async () => {
    const bearer = bearerFrom(await open(await invite()));
    const before = await test.fingerprint();
    for (const value of ['y'.repeat(5000), 'a\u0000b']) {
      const body = { password: 'a fine password', data: { value } };
      expect(await auth('PUT', '/user', { bearer, body })).toMatchObject({ status: 400 });
      expect(await test.fingerprint()).toBe(before);
    }
    expect(await state()).toEqual({ status: 'pending', roles: 0, accepted: 0 });
    expect((await setPassword(bearer)).status).toBe(200);
  });

  it('succeeds exactly once under ten concurrent calls of one session', async () => {
    const bearer = bearerFrom(await open(await invite()));
    const responses = await Promise.all(Array.from({ length: 10 }, () => setPassword(bearer)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(responses.filter(({ status }) => status !== 200).map(({ json }) => json['code']))).toEqual(
      new Set(['same_password']),
    );
    expect(await state()).toEqual({ status: 'accepted', roles: 1, accepted: 1 });
  });

  it('succeeds exactly once under ten concurrent sessions with different passwords', async () => {
    const token = await invite();
    const bearers = (await Promise.all(Array.from({ length: 10 }, () => open(token)))).map(bearerFrom);
    const responses = await Promise.all(
      bearers.map((bearer, index) => setPassword(bearer, `fine password ${index}`)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await state()).toEqual({ status: 'accepted', roles: 1, accepted: 1 });
    const winner = responses.findIndex(({ status }) => status === 200);
    await test.signIn({ email, password: `fine password ${winner}` });
    for (const bearer of bearers.filter((_, index) => index !== winner)) {
      expect(await auth('GET', '/user', { bearer })).toMatchObject({
        status: 403,
        json: { code: 'session_not_found' },
      });
    }
  });

  describe('an invitation that has ended', { tags: ['AUTH-49'] }, () => {
    it('rejects the link after acceptance', async () => {
      const token = await invite();
      await setPassword(bearerFrom(await open(token)));
      expect(await open(token)).toMatchObject({
        status: 403,
        json: { code: 'otp_expired', message: 'Email link is invalid or has expired' },
      });
    });

    it('rejects the link and its sessions after revocation', async () => {
      const token = await invite();
      const bearer = bearerFrom(await open(token));
      await test.service.invitations.revoke({ email: email, authorize: asService });
      expect(await open(token)).toMatchObject({ status: 403, json: { code: 'otp_expired' } });
      expect(await setPassword(bearer)).toMatchObject({ status: 403 });
      expect(await state()).toMatchObject({ status: 'revoked', roles: 0 });
    });

    it('rejects the password if the invitation expired after the link was opened', async () => {
      const token = await invite();
      const bearer = bearerFrom(await open(token));
      await test.database.query(
        sql`update private.invitations set expires_at = now() - interval '1 second' where email = ${email}`,
      );
      expect(await open(token)).toMatchObject({
        status: 403,
        json: { code: 'otp_expired', message: 'Email link has expired' },
      });
      expect(await setPassword(bearer)).toMatchObject({ status: 403, json: { code: 'otp_expired' } });
      const [user] = await test.database.query(
        sql`select encrypted_password from auth.users where email = ${email}`,
      );
      expect(user).toEqual({ encrypted_password: null });
      expect(await state()).toMatchObject({ roles: 0 });
    });
  });

  it('keeps an existing password until acceptance and limits the link to setting a password', async () => {
    const ann = await test.createUser({ email });
    const token = await invite();
    const old = await test.signIn(ann);
    expect(old['user']).not.toMatchObject({ app_metadata: { setup_required: true } });
    const session = await open(token);
    expect(session.json).toMatchObject({ user: { app_metadata: { setup_required: true } } });
    const { session_id, sub } = decodeClaims(session.json);
    await expect(
      test.database.query(sql`select auth.require_live_session(${session_id}, ${sub}, 'aal1')`),
    ).rejects.toMatchObject({ code: 'LR003' });
    expect((await setPassword(bearerFrom(session))).status).toBe(200);
    await test.database.query(sql`select auth.require_live_session(${session_id}, ${sub}, 'aal1')`);
    expect(await state()).toEqual({ status: 'accepted', roles: 1, accepted: 1 });
    await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
  });

  it('does not accept an invitation by a password change in an ordinary session', async () => {
    const ann = await test.createUser({ email });
    await invite();
    const { access_token } = await test.signIn(ann);
    expect((await setPassword(access_token)).status).toBe(200);
    expect(await state()).toEqual({ status: 'pending', roles: 0, accepted: 0 });
  });

  it('recovery resends the open invitation to a user without a password', { tags: ['AUTH-50'] }, async () => {
    await invite();
    expect(await auth('POST', '/recover', { body: { email } })).toMatchObject({ status: 200, text: '{}' });
    const [link] = linksIn(await test.emails(), email);
    expect(Object.fromEntries(link?.searchParams ?? [])).toMatchObject({ type: 'invite', setup: 'true' });
    expect((await open(link?.searchParams.get('token_hash') ?? '')).status).toBe(200);
  });

  it('recovery sends nothing when the invitation has ended', async () => {
    await invite();
    await test.service.invitations.revoke({ email: email, authorize: asService });
    expect(await auth('POST', '/recover', { body: { email } })).toMatchObject({ status: 200, text: '{}' });
    expect(linksIn(await test.emails(), email)).toEqual([]);
  });
});
