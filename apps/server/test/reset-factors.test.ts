/**
 * Removal of the second factors of a user who lost them, by another administrator and on the command line.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { adminsCommand } from '../src/cli/commands/admins.ts';
import type { AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { captureOutput } from './support/command-output.ts';
import { emailsTo } from './support/email-links.ts';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';
import { setUpSignedInUser } from '@lanternrock/auth/test-support/signed-in-user';
import { waitUntilBlocked } from '@lanternrock/testing/wait-until-blocked';
import { asService } from '../src/administrators/email-action.ts';

eachEngine('resetting the second factors of a user', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let ann: TestUser;
  let actorUser: TestUser;
  let bo: TestUser;
  let actorToken: string;
  let annToken: string;
  const clock = setUpSignedInUser(
    (now) => startTestService(engine, { now }),
    (ready) => {
      ({ test, auth, ann } = ready);
      annToken = ready.session.access_token;
    },
  );
  beforeEach(async () => {
    actorUser = await test.createUser({ isAdministrator: true });
    bo = await test.createUser({ isAdministrator: true });
    actorToken = (await test.signIn(actorUser)).access_token;
    const banned = await test.createUser({ isAdministrator: true, email: `banned-${bo.email}` });
    await test.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${banned.id}`);
  });

  const reset = async (body: unknown, token = actorToken): Promise<[number, unknown]> => {
    const response = await test.request('/functions/v1/reset-administrator-factors', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    return [response.status, await response.json()];
  };
  /** Adds a verified factor with recovery codes, and an unverified one. */
  const addFactors = async (): Promise<string> => {
    const { elevated } = await addSecondFactor(auth, annToken, clock.now);
    const bearer = String(elevated.json['access_token']);
    await auth('POST', '/factors/recovery-codes', { bearer, body: {} });
    clock.pass(1000);
    await auth('POST', '/factors', { bearer, body: { factor_type: 'totp', friendly_name: 'Tablet' } });
    return bearer;
  };
  const readFactors = async (): Promise<object | undefined> =>
    (
      await test.database.query(sql`select u.has_verified_factor as flag, u.device_epoch > 0 as epoch,
          (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors,
          (select count(*)::int from auth.recovery_code_sets where user_id = u.id) as codes,
          (select count(*)::int from auth.sessions where user_id = u.id) as sessions
        from auth.users u where u.id = ${ann.id}`)
    )[0];
  const noFactors = { flag: false, epoch: true, factors: 0, codes: 0, sessions: 0 };
  const newestEmail = async (email: string): Promise<[string | undefined, string]> => {
    const message = (await emailsTo(test, email)).at(-1);
    return [message?.subject, (message?.text ?? '').replaceAll('\u2060', '').replaceAll(/\s+/g, ' ')];
  };
  const expectNotices = async (actor: string): Promise<void> => {
    const done = `${actor} removed all second factors, passkeys and recovery codes of`;
    const [subject, text] = await newestEmail(ann.email);
    expect(subject).toBe('Your second factor for Lanternrock was removed');
    expect(text).toContain(`${done} your Lanternrock account and revoked all your sessions.`);
    for (const { email } of [actorUser, bo]) {
      const [toAdministrators, body] = await newestEmail(email);
      expect(toAdministrators).toBe('The second factor of a Lanternrock user was removed');
      expect(body).toContain(`${done} ${ann.email} and revoked all sessions of this user.`);
    }
    expect(await emailsTo(test, `banned-${bo.email}`)).toEqual([]);
  };
  const audited = async (): Promise<unknown[]> => {
    const [entry] = await test.database.query<{ payload: Record<string, unknown> }>(
      sql`select payload from auth.audit_log_entries where payload ->> 'action' = 'factors_reset'
          order by created_at desc, id desc limit 1`,
    );
    const changes = await test.database.query(sql`select actor, request_id, before ->> 'friendly_name' as name
      from private.audit_log where table_name = 'auth.mfa_factors' and before ->> 'user_id' = ${ann.id} order by 3`);
    return [entry?.payload, changes];
  };

  it('removes factors, recovery codes and sessions; the user and all administrators get an email that names the actor', async () => {
    const bearer = await addFactors();
    expect(await reset({ email: ` ${ann.email.toUpperCase()}` })).toEqual([200, { success: true }]);
    expect(await readFactors()).toEqual(noFactors);
    expect((await auth('GET', '/user', { bearer })).status).toBe(403);
    await expectNotices(actorUser.email);
    expect(await audited()).toEqual([
      expect.objectContaining({
        actor_id: actorUser.id,
        traits: {
          user_id: ann.id,
          email: ann.email,
          factors: ['An authenticator app', 'An authenticator app (Tablet)'],
        },
      }),
      [
        { actor: actorUser.id, request_id: expect.any(String), name: '' },
        { actor: actorUser.id, request_id: expect.any(String), name: 'Tablet' },
      ],
    ]);
    // The password is sufficient to sign in now, for everything that needs no factor.
    const { access_token } = await test.signIn(ann);
    expect((await auth('GET', '/passkeys', { bearer: access_token })).status).toBe(200);
    expect(await reset({ email: ann.email })).toMatchObject([404, { code: 'no_second_factor' }]);
  });

  it('requires a platform administrator with a fresh session, another user and a verified factor', async () => {
    await addFactors();
    const other = await test.createUser();
    const { access_token: member } = await test.signIn(other);
    await auth('POST', '/factors', { bearer: member, body: { factor_type: 'totp' } });
    const { elevated } = await addSecondFactor(auth, actorToken, clock.now);
    const raised = String(elevated.json['access_token']);
    const before = await test.fingerprint();
    for (const [body, token, status, code] of [
      [{ email: ann.email }, member, 403, 'not_platform_admin'],
      [{ email: ann.email }, test.anonKey, 401, 'not_authenticated'],
      [{ email: ann.email }, test.serviceRoleKey, 403, 'not_platform_admin'],
      [{ email: 'a@b.co, c@d.co' }, raised, 400, 'validation_failed'],
      [{ email: other.email }, raised, 404, 'no_second_factor'],
      [{ email: 'unknown@example.org' }, raised, 404, 'no_second_factor'],
      [{ email: actorUser.email }, raised, 403, 'own_second_factor'],
    ] as const) {
      expect(await reset(body, token), code).toMatchObject([status, { code }]);
    }
    clock.pass(600_000);
    expect(await reset({ email: ann.email }, raised)).toMatchObject([
      400,
      { code: 'reauthentication_needed' },
    ]);
    expect(await reset({ email: 7 }, raised)).toMatchObject([400, { code: 'reauthentication_needed' }]);
    expect(await test.fingerprint()).toBe(before);
  });

  describe.runIf(engine === 'postgres')('concurrent resets', () => {
    interface Administrator {
      readonly user: TestUser;
      readonly token: string;
    }
    const administrator = async (): Promise<Administrator> => {
      const user = await test.createUser({ isAdministrator: true });
      const { elevated } = await addSecondFactor(auth, (await test.signIn(user)).access_token, clock.now);
      return { user, token: String(elevated.json['access_token']) };
    };
    /** Runs resets whose transactions all reach their first lock before one of them gets it. */
    const resetTogether = async (
      resets: readonly (readonly [Administrator, Administrator])[],
    ): Promise<number[]> => {
      const running = await test.database.transaction(async (tx) => {
        const ids = resets.flat().map(({ user }) => user.id);
        await tx.query(sql`select from auth.users where id = any (${ids}::uuid[]) for update`);
        const pending = resets.map(([actor, { user }]) => reset({ email: user.email }, actor.token));
        await waitUntilBlocked(test.database, resets.length);
        return { pending };
      });
      return (await Promise.all(running.pending)).map(([status]) => status).toSorted();
    };
    const countFactors = async (...administrators: readonly Administrator[]): Promise<number> => {
      const ids = administrators.map(({ user }) => user.id);
      return (
        await test.database.query(sql`select from auth.mfa_factors where user_id = any (${ids}::uuid[])`)
      ).length;
    };

    it('only one succeeds when two administrators reset each other, and the other administrator is signed out', async () => {
      const [first, second] = [await administrator(), await administrator()];
      expect(
        await resetTogether([
          [first, second],
          [second, first],
        ]),
      ).toEqual([200, 401]);
      expect(await countFactors(first, second)).toBe(1);
    });

    it('both succeed for two different users', async () => {
      const [first, second] = [await administrator(), await administrator()];
      const [third, fourth] = [await administrator(), await administrator()];
      expect(
        await resetTogether([
          [first, second],
          [third, fourth],
        ]),
      ).toEqual([200, 200]);
      expect(await countFactors(second, fourth)).toBe(0);
    });
  });

  it('is available as a command of the operator, with the same emails', async () => {
    await addFactors();
    const output = captureOutput(test.config.DATA_DIR);
    const run = async (...args: string[]): Promise<number> =>
      adminsCommand.parse(args).run(test.service, output);
    const before = await test.fingerprint();
    await expect(run('reset-factors', bo.email)).rejects.toThrow(`${bo.email} has no second factor.`);
    expect(await test.fingerprint()).toBe(before);
    expect(await run('reset-factors', ann.email)).toBe(0);
    expect(output.all).toEqual([`${ann.email} has no second factor now and is signed out everywhere.`]);
    expect(await readFactors()).toEqual(noFactors);
    await expectNotices('The operator of the service');
    const origin = 'command line (ann)';
    expect(await audited()).toEqual([
      expect.objectContaining({ actor_id: null, request_id: origin }),
      [
        { actor: null, request_id: origin, name: '' },
        { actor: null, request_id: origin, name: 'Tablet' },
      ],
    ]);
  });

  it('the history of an invitation shows whether the invited user has a verified factor', async () => {
    await test.service.invitations.createLink({
      authorize: asService,
      email: ann.email,
      fullName: 'Ann Lee',
    });
    const [invitation] = await test.database.query<{ id: string }>(
      sql`select id from private.invitations where email = ${ann.email}`,
    );
    const secondFactor = async (): Promise<unknown> => {
      const response = await test.request('/functions/v1/invitation-history', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${actorToken}` },
        body: JSON.stringify({ invitation_id: invitation?.id }),
      });
      return ((await response.json()) as Record<string, unknown>)['second_factor'];
    };
    expect(await secondFactor()).toBe(false);
    await addFactors();
    expect(await secondFactor()).toBe(true);
  });
});
