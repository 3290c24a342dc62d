/** The requirement of a second factor for all administrators. */
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { runCommandIn } from './support/run-in-service.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

const day = 86_400_000;

eachEngine('the requirement of a second factor', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let call: CallFunction;
  let ann: TestUser;
  let annToken: string;
  let bo: TestUser;
  let boToken: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    auth = createAuthRequester(test);
    call = createFunctionCaller(test);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await test.database.query(sql`delete from private.second_factor_requirement`);
    ann = await test.createUser({ isAdministrator: true });
    bo = await test.createUser({ isAdministrator: true });
    annToken = await elevate((await test.signIn(ann)).access_token);
    boToken = (await test.signIn(bo)).access_token;
  });

  const elevate = async (bearer: string): Promise<string> =>
    String((await addSecondFactor(auth, bearer, () => new Date())).elevated.json['access_token']);
  const setRequirement = (body: object, token = annToken) =>
    call('set-second-factor-requirement', body, token);
  const own = async (token: string): Promise<unknown> =>
    (await call('second-factor-requirement', {}, token))[1];
  const readAccounts = async (token: string): Promise<unknown[]> => {
    const response = await test.request('/rest/v1/user_invitations', {
      headers: { apikey: test.anonKey, Authorization: `Bearer ${token}` },
    });
    return (await response.json()) as unknown[];
  };

  it('blocks no user in the grace period, and shows its end to administrators', async () => {
    const [status, body] = await setRequirement({ required: true, grace_days: 3 });
    expect([status, body]).toEqual([
      200,
      { due_at: expect.any(String), second_factor: true, passkey: false, met: true, blocked: false },
    ]);
    const { due_at } = body as { due_at: string };
    expect(Math.round((Date.parse(due_at) - Date.now()) / day)).toBe(3);
    const withoutFactor = { second_factor: false, passkey: false, met: false, blocked: false };
    expect(await own(boToken)).toEqual({ due_at, ...withoutFactor });
    expect((await call('administrators', {}, boToken))[0]).toBe(200);
    const member = await test.createUser();
    expect(await own((await test.signIn(member)).access_token)).toEqual({
      due_at: null,
      ...withoutFactor,
    });
    expect(await own(test.anonKey)).toMatchObject({ code: 'not_authenticated' });
  });

  it('has a default of seven days, and rejects other grace periods than 0 to 30 days', async () => {
    const [, body] = await setRequirement({ required: true });
    expect(Math.round((Date.parse((body as { due_at: string }).due_at) - Date.now()) / day)).toBe(7);
    const before = await test.fingerprint();
    for (const grace_days of [-1, 31, 1.5, '7', null])
      expect(await setRequirement({ required: true, grace_days })).toMatchObject([
        400,
        { code: 'validation_failed' },
      ]);
    expect(await test.fingerprint()).toBe(before);
  });

  it('after it, the database rejects administrators at AAL1 in both APIs until they enroll', async () => {
    await test.database.query(sql`insert into private.invitations (email, full_name)
      values ('someone@example.org', 'Some One') on conflict do nothing`);
    expect((await readAccounts(boToken)).length).toBeGreaterThan(0);
    await setRequirement({ required: true, grace_days: 0 });
    expect(await readAccounts(boToken)).toEqual([]);
    expect(await call('administrators', {}, boToken)).toMatchObject([
      403,
      { code: 'second_factor_required' },
    ]);
    expect(await own(boToken)).toMatchObject({ second_factor: false, blocked: true });
    expect((await readAccounts(annToken)).length).toBeGreaterThan(0);
    // The enrollment needs no role.
    const elevated = await elevate(boToken);
    expect((await readAccounts(elevated)).length).toBeGreaterThan(0);
    expect((await call('administrators', {}, elevated))[0]).toBe(200);
    expect(await own(elevated)).toMatchObject({ second_factor: true, blocked: false });
  });

  it('only an administrator with a verified factor and a fresh session at AAL2 can require one', async () => {
    expect(await setRequirement({ required: true, grace_days: 0 }, boToken)).toMatchObject([
      403,
      {
        code: 'second_factor_missing',
        error: 'Set up your own second factor before you require one, or sign in with it if you have one.',
      },
    ]);
    const atAal1 = (await test.signIn(ann)).access_token;
    expect((await setRequirement({ required: true, grace_days: 0 }, atAal1))[0]).toBe(403);
    await test.database.query(sql`update auth.sessions set reauthenticated_at = now() - interval '1 hour',
      created_at = now() - interval '1 hour' where user_id = ${ann.id}`);
    expect(await setRequirement({ required: true })).toMatchObject([
      400,
      { code: 'reauthentication_needed' },
    ]);
    expect(await test.database.query(sql`select from private.second_factor_requirement`)).toEqual([]);
  });

  it('reports no other permission error of the database as a missing second factor', async () => {
    const run = (script: string): Promise<void> =>
      test.database.maintenance((tx) => test.database.script(tx, script));
    await run(`create function private.deny() returns trigger language plpgsql as
        $$ begin raise exception 'permission denied for table secrets' using errcode = '42501'; end $$;
      create trigger deny before insert on private.second_factor_requirement
        for each row execute function private.deny()`);
    onTestFinished(() => run('drop function private.deny() cascade'));
    expect(await setRequirement({ required: true })).toEqual([
      500,
      { code: 'unexpected_failure', error: 'Unexpected error.' },
    ]);
  });

  it('ends, is recorded, and leaves a way in when the last factor is removed', async () => {
    await setRequirement({ required: true, grace_days: 0 });
    // The operator removes the last second factor of all administrators.
    expect((await runCommandIn(test, 'admins', 'reset-factors', ann.email)).code).toBe(0);
    const again = (await test.signIn(ann)).access_token;
    expect(await own(again)).toMatchObject({ blocked: true });
    const elevated = await elevate(again);
    expect(await setRequirement({ required: false }, elevated)).toMatchObject([
      200,
      { due_at: null, blocked: false },
    ]);
    expect((await call('administrators', {}, boToken))[0]).toBe(200);
    const recorded = await test.database.query(
      sql`select actor, action from private.audit_log where table_name = 'private.second_factor_requirement'
          and actor = ${ann.id} order by id`,
    );
    expect(recorded).toEqual([
      { actor: ann.id, action: 'INSERT' },
      { actor: ann.id, action: 'DELETE' },
    ]);
  });

  it('is switched by commands, which always can switch it off', async () => {
    const run = (...args: string[]) => runCommandIn(test, 'admins', 'require-second-factor', ...args);
    expect((await run('on', '--grace', '0')).lines).toEqual([
      expect.stringMatching(/^Administrators need a second factor from 20/),
    ]);
    expect((await call('administrators', {}, boToken))[0]).toBe(403);
    expect((await run('off')).lines).toEqual([
      'A second factor is not required. Administrators who have one still need it to sign in.',
    ]);
    expect((await call('administrators', {}, boToken))[0]).toBe(200);
    for (const args of [['on', '--grace', '31'], ['on', '--grace', 'x'], ['maybe'], []])
      expect((await run(...args)).code).toMatch(/^(--grace must be|Expected on or off)/);
    expect(await test.database.query(sql`select from private.second_factor_requirement`)).toEqual([]);
  });
});
