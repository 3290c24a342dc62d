/** Roles that end by themselves, and the administrator without an end date who always remains. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { QueryError } from '@lanternrock/postgres/errors';
import { sql } from '@lanternrock/postgres';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { createAuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { endRoles } from '../src/administrators/role-ends.ts';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { runCommandIn } from './support/run-in-service.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

const hour = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

eachEngine('roles that end', (engine) => {
  let test: TestService;
  let call: CallFunction;
  let ann: TestUser;
  let annToken: string;
  let bo: TestUser;
  let boToken: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    call = createFunctionCaller(test);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    ann = await test.createUser({ isAdministrator: true });
    bo = await test.createUser({ isAdministrator: true });
    await test.database.query(sql`delete from public.user_roles where user_id not in (${ann.id}, ${bo.id})`);
    annToken = (await test.signIn(ann)).access_token;
    boToken = (await test.signIn(bo)).access_token;
  });

  const setEnd = (user: TestUser, ends_at: string | null, token = annToken) =>
    call('set-administrator-end', { user_id: user.id, ends_at }, token);
  /** The role ends at a time after the sign-in. */
  const endRole = (user: TestUser) =>
    test.database.query(
      sql`update public.user_roles set ends_at = clock_timestamp() where user_id = ${user.id}`,
    );
  const readEnd = async (user: TestUser): Promise<unknown> =>
    (
      await test.database.query<{ ends_at: Date | null }>(
        sql`select ends_at from public.user_roles where user_id = ${user.id}`,
      )
    )[0]?.ends_at?.toISOString() ?? null;
  const insertAccount = async (token: string, user: TestUser): Promise<[number, unknown]> => {
    const response = await test.request('/rest/v1/accounts', {
      method: 'POST',
      headers: {
        apikey: test.anonKey,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        name: 'Late Save',
        slug: `late-${user.id}`,
        account_type: 'enterprise',
        created_by: user.id,
      }),
    });
    return [response.status, response.status === 201 ? null : await response.json()];
  };

  it('sets, extends and removes the end, and records who did it', async () => {
    const [sunday, later] = [inHours(48), inHours(96)];
    for (const end of [sunday, later, null]) {
      expect(await setEnd(bo, end)).toEqual([200, { success: true }]);
      expect(await readEnd(bo)).toBe(end);
    }
    const recorded = await test.database.query<{ actor: string; from: string | null; to: string | null }>(
      sql`select actor, before ->> 'ends_at' as "from", after ->> 'ends_at' as "to" from private.audit_log
          where table_name = 'public.user_roles' and action = 'UPDATE' and after ->> 'user_id' = ${bo.id} order by id`,
    );
    expect(recorded.map((change) => change.actor)).toEqual([ann.id, ann.id, ann.id]);
    const times = recorded.map(({ from, to }) =>
      [from, to].map((time) => time && new Date(time).toISOString()),
    );
    expect(times).toEqual([
      [null, sunday],
      [sunday, later],
      [later, null],
    ]);
  });

  it('rejects a past end, the own end, an end of the last administrator without one, and a longer one than the own', async () => {
    await setEnd(bo, inHours(2));
    const cy = await test.createUser({ isAdministrator: true });
    await setEnd(cy, inHours(1));
    const before = await test.fingerprint();
    for (const [user, end, token, status, code] of [
      [bo, inHours(-1), annToken, 400, 'role_end_in_past'],
      [ann, inHours(1), annToken, 403, 'role_end_not_allowed'],
      [bo, null, boToken, 403, 'role_end_not_allowed'],
      [bo, inHours(9), boToken, 403, 'role_end_not_allowed'],
      [ann, inHours(1), boToken, 409, 'last_administrator'],
      [cy, inHours(9), boToken, 403, 'role_end_not_allowed'],
      [cy, null, boToken, 403, 'role_end_not_allowed'],
    ] as const) {
      expect(await setEnd(user, end, token), `${code} ${String(end)}`).toMatchObject([status, { code }]);
    }
    expect(await test.fingerprint()).toBe(before);
    expect((await setEnd(cy, inHours(1.5), boToken))[0]).toBe(200);
  });

  it('reports no other permission error of the database as a rejected end', async () => {
    const run = (script: string): Promise<void> =>
      test.database.maintenance((tx) => test.database.script(tx, script));
    await run(`create function private.deny() returns trigger language plpgsql as
        $$ begin raise exception 'permission denied for table secrets' using errcode = '42501'; end $$;
      create trigger deny before update on public.user_roles for each row execute function private.deny()`);
    onTestFinished(() => run('drop function private.deny() cascade'));
    expect(await setEnd(bo, inHours(1))).toEqual([
      500,
      { code: 'unexpected_failure', error: 'Unexpected error.' },
    ]);
  });

  it('requires a fresh session', async () => {
    await test.database.query(
      sql`update auth.sessions set created_at = now() - interval '1 hour' where user_id = ${ann.id}`,
    );
    expect(await setEnd(bo, inHours(1))).toMatchObject([400, { code: 'reauthentication_needed' }]);
    expect(await readEnd(bo)).toBeNull();
  });

  it('an ended role loses its rights with the next request, and a save is rejected as a whole', async () => {
    expect((await insertAccount(boToken, bo))[0]).toBe(201);
    await test.database.query(sql`delete from public.accounts`);
    await endRole(bo);
    const before = await test.fingerprint();
    expect(await insertAccount(boToken, bo)).toMatchObject([403, { code: '42501' }]);
    expect(await call('administrators', {}, boToken)).toMatchObject([403, { code: 'role_ended' }]);
    expect(await setEnd(ann, inHours(1), boToken)).toMatchObject([403, { code: 'role_ended' }]);
    const roles = await test.request('/rest/v1/user_roles', {
      headers: { apikey: test.anonKey, Authorization: `Bearer ${boToken}` },
    });
    expect(await roles.json()).toEqual([]);
    expect(await test.fingerprint()).toBe(before);
  });

  it('the sessions from before the end are revoked and recorded; later ones stay', async () => {
    await endRole(bo);
    expect(await endRoles(test.database)).toBe(1);
    const auth = createAuthRequester(test);
    expect((await auth('GET', '/user', { bearer: boToken })).status).toBe(403);
    const { access_token: later } = await test.signIn(bo);
    expect(await endRoles(test.database)).toBe(0);
    expect((await auth('GET', '/user', { bearer: later })).status).toBe(200);
    const recorded = await test.database.query(
      sql`select request_id from private.audit_log where table_name = 'auth.sessions' and before ->> 'user_id' = ${bo.id}`,
    );
    expect(recorded).toEqual([{ request_id: 'end of the role' }]);
  });

  it('an extension restores the rights of an ended role', async () => {
    await endRole(bo);
    await endRoles(test.database);
    const { access_token } = await test.signIn(bo);
    expect((await call('administrators', {}, access_token))[0]).toBe(403);
    expect(await setEnd(bo, inHours(1))).toEqual([200, { success: true }]);
    expect((await call('administrators', {}, access_token))[0]).toBe(200);
  });

  describe('of an invited administrator', () => {
    const statusOf = async (user: TestUser): Promise<unknown> =>
      (
        await test.database.query<{ status: string }>(
          sql`select status from public.user_invitations where email = ${user.email}`,
        )
      )[0]?.status;
    const inviteAgain = (user: TestUser) =>
      call('send-user-invitation', { email: user.email, full_name: 'Bo Berg' }, annToken);
    beforeEach(async () => {
      await test.database.query(sql`insert into private.invitations (email, full_name, user_id, status)
        values (${bo.email}, 'Bo Berg', ${bo.id}, 'accepted')`);
    });

    it('shows the invitation as ended, and accepts another invitation', async () => {
      expect(await inviteAgain(bo)).toMatchObject([409, { code: 'already_administrator' }]);
      await endRole(bo);
      await endRoles(test.database);
      expect(await statusOf(bo)).toBe('ended');
      expect(await inviteAgain(bo)).toMatchObject([200, { success: true }]);
      expect(await statusOf(bo)).toBe('pending');
      await test.database.query(sql`select private.accept_invitation(${bo.id})`);
      expect(await statusOf(bo)).toBe('accepted');
      expect(await readEnd(bo)).toBeNull();
      expect(await endRoles(test.database)).toBe(0);
    });

    it('limits the role of an invited user to the end of the inviter, also after the inviter was removed', async () => {
      const end = inHours(2);
      for (const isRemoved of [false, true]) {
        await setEnd(bo, end);
        const email = `friend-${String(isRemoved)}-${bo.id}@example.org`;
        expect((await call('send-user-invitation', { email, full_name: 'Friend' }, boToken))[0]).toBe(200);
        if (isRemoved)
          expect((await call('remove-administrator', { email: bo.email }, annToken))[0]).toBe(200);
        const [friend] = await test.database.query<{ id: string }>(
          sql`select id from auth.users where email = ${email}`,
        );
        await test.database.query(sql`select private.accept_invitation(${friend?.id ?? null})`);
        const [role] = await test.database.query<{ ends_at: Date | null }>(
          sql`select ends_at from public.user_roles where user_id = ${friend?.id ?? null}`,
        );
        expect(role?.ends_at?.toISOString()).toBe(end);
      }
    });

    it('shows it as accepted after an extension', async () => {
      await endRole(bo);
      await endRoles(test.database);
      await setEnd(bo, null);
      expect(await statusOf(bo)).toBe('accepted');
    });

    it('a restore keeps the end', async () => {
      const end = inHours(5);
      await setEnd(bo, end);
      for (const name of ['remove-administrator', 'restore-administrator'])
        expect(await call(name, { email: bo.email }, annToken)).toEqual([200, { success: true }]);
      expect(await readEnd(bo)).toBe(end);
    });

    it('a restore says that the role has ended', async () => {
      await endRole(bo);
      const remove = () => call('remove-administrator', { email: bo.email }, annToken);
      expect((await remove())[0]).toBe(200);
      const restored = await call('restore-administrator', { email: bo.email }, annToken);
      const end = await readEnd(bo);
      expect(restored).toEqual([200, { success: true, role_ended_at: end }]);
      expect((await remove())[0]).toBe(200);
      expect((await runCommandIn(test, 'admins', 'restore', bo.email)).lines).toEqual([
        `${bo.email} is restored, but the role ended at ${String(end)}. Set a new end date with "lanternrock admins set-end".`,
      ]);
    });
  });

  describe('of an inviter', () => {
    const invite = async (token: string, email: string): Promise<void> => {
      const invitee = { email, full_name: 'Cy Cole' };
      expect((await call('send-user-invitation', invitee, token))[0]).toBe(200);
    };
    /** Accepts the invitation and returns the end of the role; null without an end. */
    const accept = async (email: string): Promise<string | null> => {
      await test.database.query(
        sql`select private.accept_invitation(user_id) from private.invitations where email = ${email}`,
      );
      const roles = await test.database.query<{ ends_at: Date | null }>(
        sql`select r.ends_at from public.user_roles r join auth.users u on u.id = r.user_id where u.email = ${email}`,
      );
      expect(roles).toHaveLength(1);
      return roles[0]?.ends_at?.toISOString() ?? null;
    };
    const newEmail = (): string => `invited-${crypto.randomUUID()}@example.org`;

    it('limits the role of a user who gets a link from them', async () => {
      const end = inHours(5);
      await setEnd(bo, end);
      const email = newEmail();
      await invite(annToken, email);
      expect((await call('create-invitation-link', { email }, boToken))[0]).toBe(200);
      expect(await accept(email)).toBe(end);
    });

    it('stays when an administrator without an end sends the invitation again', async () => {
      const end = inHours(5);
      await setEnd(bo, end);
      const [resent, listed, expired, revoked] = [newEmail(), newEmail(), newEmail(), newEmail()];
      for (const email of [resent, listed, expired, revoked]) await invite(boToken, email);
      await invite(annToken, resent);
      const row = { email: listed, full_name: 'Cy Cole', again: true };
      expect(await call('invite-list', { invitations: [row] }, annToken)).toMatchObject([
        200,
        { results: [{ outcome: 'captured' }] },
      ]);
      await test.database.query(
        sql`update private.invitations set expires_at = now() - interval '1 hour' where email = ${expired}`,
      );
      await invite(annToken, expired);
      for (const email of [resent, listed, expired]) expect(await accept(email)).toBe(end);
      // A new invitation after the first one was revoked is that of its inviter.
      expect((await call('revoke-user-invitation', { email: revoked }, annToken))[0]).toBe(200);
      await invite(annToken, revoked);
      expect(await accept(revoked)).toBeNull();
    });

    it('does not limit a role that the operator gives', async () => {
      const [open, removed] = [newEmail(), newEmail()];
      await setEnd(bo, inHours(5));
      for (const email of [open, removed]) await invite(boToken, email);
      await accept(removed);
      expect((await call('remove-administrator', { email: removed }, annToken))[0]).toBe(200);
      await endRole(bo);
      for (const email of [open, removed]) {
        const command = await runCommandIn(test, 'invite', email, '--name', 'Cy Cole');
        expect(command.code).toBe(0);
        expect(await accept(email)).toBeNull();
      }
    });
  });

  it('commands set and show the end', async () => {
    const end = inHours(3);
    expect((await runCommandIn(test, 'admins', 'set-end', bo.email, end)).lines).toEqual([
      `${bo.email} is an administrator until ${end}.`,
    ]);
    expect((await runCommandIn(test, 'admins', 'list')).lines).toContainEqual(
      expect.stringContaining(`until ${end}`),
    );
    for (const [args, message] of [
      [[bo.email, 'Sunday'], 'TIME must look like'],
      [[bo.email], 'Missing argument'],
      [[bo.email, inHours(-1)], 'This time has passed'],
      [[ann.email, end], 'At least one administrator without an end date must remain'],
      [['nobody@example.org', end], 'No user has the email'],
    ] as const)
      expect((await runCommandIn(test, 'admins', 'set-end', ...args)).code).toContain(message);
    await runCommandIn(test, 'admins', 'set-end', bo.email, 'never');
    expect(await readEnd(bo)).toBeNull();
  });

  it(
    'an administrator without an end date remains after any concurrent changes',
    { timeout: 600_000 },
    async () => {
      const users = [ann, bo, await test.createUser(), await test.createUser()];
      const change = (kind: string, { id }: TestUser): Promise<unknown> => {
        const statements = {
          grant: sql`insert into public.user_roles (user_id, role) values (${id}, 'platform_admin')
          on conflict (user_id, role) do update set ends_at = null`,
          end: sql`update public.user_roles set ends_at = now() + interval '1 day' where user_id = ${id}`,
          past: sql`update public.user_roles set ends_at = now() where user_id = ${id}`,
          remove: sql`delete from public.user_roles where user_id = ${id}`,
          ban: sql`update auth.users set banned_until = now() + interval '1 day' where id = ${id}`,
          unban: sql`update auth.users set banned_until = null where id = ${id}`,
          unrole: sql`update public.user_roles set user_id = ${users[3]?.id ?? ''} where user_id = ${id}`,
        } as const;
        return test.database.query(statements[kind as keyof typeof statements]).catch((error: unknown) => {
          // A rejection by the rule, a duplicate role, or a deadlock, which the service reports as a conflict.
          if (error instanceof QueryError && (['23514', '23505'].includes(error.code) || error.isConflict))
            return;
          throw error;
        });
      };
      const step = fc.tuple(
        fc.constantFrom('grant', 'end', 'past', 'remove', 'ban', 'unban', 'unrole'),
        fc.nat({ max: 3 }),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 8 }),
          async (rounds) => {
            for (const round of rounds) {
              await Promise.all(round.map(([kind, index]) => change(kind, users[index] ?? ann)));
              const [row] = await test.database.query<{ count: number }>(
                sql`select count(*)::int as count from public.user_roles r join auth.users u on u.id = r.user_id
                where r.ends_at is null and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())`,
              );
              expect(row?.count).toBeGreaterThan(0);
            }
          },
        ),
        { numRuns: runs({ short: 40, long: 1000 }), seed },
      );
    },
  );
});
