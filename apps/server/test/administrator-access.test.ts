/** Details and sessions of administrators, for other administrators. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';
import { asService } from '../src/administrators/email-action.ts';

eachEngine('the access of administrators', (engine) => {
  let test: TestService;
  let call: CallFunction;
  let ann: TestUser;
  let annToken: string;
  let bo: TestUser;
  beforeAll(async () => {
    test = await startTestService(engine);
    call = createFunctionCaller(test);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    ann = await test.createUser({ isAdministrator: true, fullName: 'Ann Lee' });
    bo = await test.createUser({ isAdministrator: true });
    annToken = (await test.signIn(ann)).access_token;
  });

  const sessionsOf = async (user: TestUser): Promise<string[]> =>
    (
      await test.database.query<{ id: string }>(
        sql`select id from auth.sessions where user_id = ${user.id} order by created_at`,
      )
    ).map(({ id }) => id);

  it('lists administrators, also without an invitation, with their status', async () => {
    await test.database.query(
      sql`update public.user_roles set ends_at = now() - interval '1 hour' where user_id = ${bo.id}`,
    );
    const [status, body] = await call('administrators', {}, annToken);
    const { administrators } = body as { administrators: { user_id: string }[] };
    expect(status).toBe(200);
    const find = (user: TestUser): unknown => administrators.find(({ user_id: id }) => id === user.id);
    expect(find(ann)).toMatchObject({
      email: ann.email,
      status: 'active',
      ends_at: null,
      invitation_id: null,
    });
    expect(find(bo)).toMatchObject({ status: 'ended', ends_at: expect.any(String), second_factor: false });
  });

  it('shows since when and from whom the role is, and the sessions with a coarse network', async () => {
    await test.signIn(bo);
    await test.database.query(
      sql`update public.user_roles set granted_by = ${ann.id} where user_id = ${bo.id}`,
    );
    await test.database.query(
      sql`update auth.sessions set ip = '2001:db8:1:2::3', user_agent = 'A Browser' where user_id = ${bo.id}`,
    );
    expect(await call('administrator-details', { user_id: bo.id }, annToken)).toEqual([
      200,
      expect.objectContaining({
        user_id: bo.id,
        granted_by: 'Ann Lee',
        since: expect.any(String),
        last_sign_in_at: expect.any(String),
        second_factor: false,
        is_self: false,
        sessions: [
          expect.objectContaining({
            network: '2001:db8:1::/48',
            user_agent: 'A Browser',
            renewed_at: null,
            current: false,
          }),
        ],
      }),
    ]);
    const renewedAt = '2026-11-27T10:00:00.000Z';
    await test.database.query(
      sql`update auth.sessions set refreshed_at = ${renewedAt} where user_id = ${bo.id}`,
    );
    const [, renewed] = await call('administrator-details', { user_id: bo.id }, annToken);
    expect(renewed).toMatchObject({ sessions: [{ renewed_at: renewedAt }] });
    const [, own] = await call('administrator-details', { user_id: ann.id }, annToken);
    expect(own).toMatchObject({ is_self: true, sessions: [{ current: true, network: '127.0.0.0/24' }] });
  });

  it('names the inviter as the giver of the role', async () => {
    const email = `guest-${randomUUID()}@example.org`;
    await test.service.invitations.invite({
      authorize: asService,
      email,
      fullName: 'Guest Person',
      invitedBy: ann.id,
      startedAt: performance.now(),
    });
    const [guest] = await test.database.query<{ id: string }>(
      sql`select id from auth.users where email = ${email}`,
    );
    await test.database.query(sql`select private.accept_invitation(${guest?.id ?? ''})`);
    const [, details] = await call('administrator-details', { user_id: guest?.id }, annToken);
    expect(details).toMatchObject({
      granted_by: 'Ann Lee',
      invitation_id: expect.any(String),
      ends_at: null,
    });
  });

  it('ends one session or all of them, and records it', async () => {
    for (let count = 0; count < 3; count += 1) await test.signIn(bo);
    const [first = '', ...others] = await sessionsOf(bo);
    const end = (session_id: string | null) =>
      call('end-administrator-sessions', { user_id: bo.id, session_id }, annToken);
    expect(await end(first)).toEqual([200, { ended: 1 }]);
    expect(await sessionsOf(bo)).toEqual(others);
    expect(await end(first)).toMatchObject([404, { code: 'session_gone' }]);
    expect(await end(null)).toEqual([200, { ended: 2 }]);
    expect(await sessionsOf(bo)).toEqual([]);
    const recorded = await test.database.query(
      sql`select actor from private.audit_log where table_name = 'auth.sessions' and before ->> 'user_id' = ${bo.id}`,
    );
    expect(recorded).toEqual([{ actor: ann.id }, { actor: ann.id }, { actor: ann.id }]);
  });

  it('keeps the session of the caller', async () => {
    await test.signIn(ann);
    expect(await call('end-administrator-sessions', { user_id: ann.id, session_id: null }, annToken)).toEqual(
      [200, { ended: 1 }],
    );
    expect((await call('administrators', {}, annToken))[0]).toBe(200);
  });

  it('is for platform administrators only, and checks its input', async () => {
    const member = await test.createUser();
    const memberToken = (await test.signIn(member)).access_token;
    const before = await test.fingerprint();
    for (const [name, body] of [
      ['administrators', {}],
      ['administrator-details', { user_id: ann.id }],
      ['set-administrator-end', { user_id: ann.id, ends_at: null }],
      ['end-administrator-sessions', { user_id: ann.id, session_id: null }],
      ['set-second-factor-requirement', { required: true }],
    ] as const) {
      expect(await call(name, body, memberToken)).toMatchObject([403, { code: 'not_platform_admin' }]);
      expect(await call(name, body, test.anonKey)).toMatchObject([401, { code: 'not_authenticated' }]);
      expect(await call(name, body, test.serviceRoleKey)).toMatchObject([
        403,
        { code: 'not_platform_admin' },
      ]);
    }
    for (const [name, body, status, code] of [
      ['administrator-details', { user_id: 'x' }, 400, 'validation_failed'],
      ['administrator-details', { user_id: member.id }, 404, 'not_administrator'],
      ['administrator-details', { user_id: randomUUID() }, 404, 'not_administrator'],
      ['end-administrator-sessions', { user_id: member.id, session_id: null }, 404, 'not_administrator'],
      ['end-administrator-sessions', { user_id: bo.id, session_id: 7 }, 400, 'validation_failed'],
      ['end-administrator-sessions', { user_id: bo.id, session_id: randomUUID() }, 404, 'session_gone'],
      ['set-administrator-end', { user_id: member.id, ends_at: null }, 404, 'not_administrator'],
      ['set-administrator-end', { user_id: bo.id, ends_at: 'Sunday' }, 400, 'validation_failed'],
      ['set-administrator-end', { user_id: bo.id }, 400, 'validation_failed'],
    ] as const) {
      expect(await call(name, body, annToken), JSON.stringify(body)).toMatchObject([status, { code }]);
    }
    expect(await test.fingerprint()).toBe(before);
  });
});
