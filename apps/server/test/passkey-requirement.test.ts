/** The requirement of a second factor, for administrators whose second factor is a passkey. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { registerPasskey, signInWithPasskey } from '@lanternrock/auth/test-support/passkeys';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { SoftwareAuthenticator } from '@lanternrock/auth/test-support/software-authenticator';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { emailsTo, linksIn } from './support/email-links.ts';
import { runCommandIn } from './support/run-in-service.ts';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from './support/test-service.ts';

eachEngine('the requirement of a second factor with passkeys', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let call: CallFunction;
  let ann: TestUser;
  let key: SoftwareAuthenticator;
  /** A session at AAL1: that of a client with the password. */
  let password: string;
  beforeAll(async () => {
    test = await startTestService(engine);
    auth = createAuthRequester(test);
    call = createFunctionCaller(test);
    await test.database.query(
      sql`insert into private.invitations (email, full_name) values ('someone@example.org', 'Some One')`,
    );
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await test.database.query(sql`delete from private.second_factor_requirement`);
    ann = await test.createUser({ isAdministrator: true });
    key = new SoftwareAuthenticator(siteUrl);
    password = (await test.signIn(ann)).access_token;
  });

  const require = async (graceDays = 0): Promise<void> => {
    const days = ['--grace', String(graceDays)];
    expect((await runCommandIn(test, 'admins', 'require-second-factor', 'on', ...days)).code).toBe(0);
  };
  const addPasskey = async (token = password): Promise<string> => {
    const { status, json } = await registerPasskey(auth, token, key);
    expect(status).toBe(200);
    return String(json['id']);
  };
  const signIn = async (): Promise<string> =>
    String((await signInWithPasskey(auth, key)).json['access_token']);
  const read = async (token: string): Promise<unknown> =>
    (await call('second-factor-requirement', {}, token))[1];
  /** Returns the status of a function, and the number of invitations in the Data API. */
  const rights = async (token: string): Promise<[number, number]> => {
    const [status] = await call('administrators', {}, token);
    const response = await test.request('/rest/v1/user_invitations', {
      headers: { apikey: test.anonKey, Authorization: `Bearer ${token}` },
    });
    return [status, ((await response.json()) as unknown[]).length];
  };
  const all = async (token: string): Promise<void> => {
    const [status, rows] = await rights(token);
    expect(status).toBe(200);
    expect(rows).toBe(1);
  };
  const none: [number, number] = [403, 0];

  it('is met by a session of a passkey with user verification only', async () => {
    await addPasskey();
    await require();
    expect(await rights(password)).toEqual(none);
    expect(await read(password)).toMatchObject({
      second_factor: false,
      passkey: true,
      met: false,
      blocked: true,
    });
    key.verifiesUser = false;
    const present = await signIn();
    expect(await rights(present)).toEqual(none);
    key.verifiesUser = true;
    const token = await signIn();
    await all(token);
    expect(await read(token)).toMatchObject({
      second_factor: false,
      passkey: true,
      met: true,
      blocked: false,
    });
    expect((await call('set-second-factor-requirement', { required: true, grace_days: 0 }, token))[0]).toBe(
      200,
    );
    expect(await call('set-second-factor-requirement', { required: false }, password)).toMatchObject([
      403,
      { code: 'second_factor_required' },
    ]);
  });

  it('is set only by a session that meets it, before it is due', async () => {
    await addPasskey();
    expect(await call('set-second-factor-requirement', { required: true }, password)).toMatchObject([
      403,
      { code: 'second_factor_missing', error: expect.stringContaining('or sign in with it if you have one') },
    ]);
    expect(await test.database.query(sql`select from private.second_factor_requirement`)).toEqual([]);
    expect((await call('set-second-factor-requirement', { required: true }, await signIn()))[0]).toBe(200);
  });

  it(
    'is no longer met by the token of a session whose passkey or last factor was removed',
    { tags: ['AUTH-61'] },
    async () => {
      const id = await addPasskey();
      await require();
      const [token, other] = [await signIn(), await signIn()];
      expect((await auth('DELETE', `/passkeys/${id}`, { bearer: token })).status).toBe(204);
      expect(await rights(token)).toEqual(none);
      expect(await read(token)).toMatchObject({ passkey: false, met: false, blocked: true });
      expect((await call('administrators', {}, other))[0]).toBe(401);
      // The way out is a new second factor or passkey.
      await addPasskey(token);
      await all(await signIn());

      // A session of a passkey without user verification, which a recovery code elevated.
      const bo = await test.createUser({ isAdministrator: true });
      const boKey = new SoftwareAuthenticator(siteUrl);
      boKey.verifiesUser = false;
      const boToken = (await test.signIn(bo)).access_token;
      const factor = await addSecondFactor(auth, boToken, () => new Date());
      const bearer = String(factor.elevated.json['access_token']);
      await registerPasskey(auth, bearer, boKey);
      const made = await auth('POST', '/factors/recovery-codes', { bearer, body: {} });
      const low = String((await signInWithPasskey(auth, boKey)).json['access_token']);
      const [code] = made.json['codes'] as string[];
      const used = await auth('POST', '/factors/recovery-codes/verify', { bearer: low, body: { code } });
      const recovered = String(used.json['access_token']);
      await all(recovered);
      expect((await auth('DELETE', `/factors/${factor.id}`, { bearer: recovered })).status).toBe(200);
      expect(await rights(recovered)).toEqual(none);
    },
  );

  describe('against a client that knows only the password', () => {
    const changes = (passkeyId: string, factorId: string) =>
      [
        ['POST', '/factors', { factor_type: 'totp' }],
        ['POST', '/factors', { factor_type: 'webauthn' }],
        ['POST', `/factors/${factorId}/verify`, { challenge_id: factorId, code: '000000' }],
        ['POST', '/passkeys/registration/options', {}],
        ['POST', '/passkeys/registration/verify', { challenge_id: passkeyId, credential: {} }],
        ['DELETE', `/passkeys/${passkeyId}`, undefined],
      ] as const;

    it(
      'rejects adding and removing second factors and passkeys, and changes nothing',
      { tags: ['AUTH-62'] },
      async () => {
        const id = await addPasskey();
        // Started before the requirement is due.
        const factor = String(
          (await auth('POST', '/factors', { bearer: password, body: { factor_type: 'totp' } })).json['id'],
        );
        await require();
        const before = await test.fingerprint();
        for (const [method, path, body] of changes(id, factor))
          expect(await auth(method, path, { bearer: password, body }), path).toMatchObject({
            status: 403,
            json: {
              code: 'insufficient_aal',
              message: expect.stringMatching(/^Sign in with your passkey before/),
            },
          });
        expect(await test.fingerprint()).toBe(before);
        // The owner can.
        const token = await signIn();
        const { elevated } = await addSecondFactor(auth, token, () => new Date());
        expect(elevated.status).toBe(200);
        await all(String(elevated.json['access_token']));
      },
    );

    it(
      'rejects the last step of a registration that began before the passkey was added',
      { tags: ['AUTH-62'] },
      async () => {
        await require();
        const rogue = new SoftwareAuthenticator(siteUrl);
        const { json } = await auth('POST', '/passkeys/registration/options', { bearer: password, body: {} });
        const credential = rogue.create(json['options'] as Parameters<typeof rogue.create>[0]);
        await test.database.query(sql`insert into auth.webauthn_credentials
        (user_id, credential_id, public_key, user_verified) values (${ann.id}, ${ann.id}, '', true)`);
        const before = await test.fingerprint();
        const body = { challenge_id: json['challenge_id'], credential };
        expect(
          (await auth('POST', '/passkeys/registration/verify', { bearer: password, body })).json,
        ).toMatchObject({
          code: 'insufficient_aal',
        });
        expect(await test.fingerprint()).toBe(before);
      },
    );

    /** Whether a session at AAL1 can add a second factor: methods of the user × requirement. */
    it.each([
      ['no method', 'none', true],
      ['no method', 'due', true],
      ['a passkey without user verification', 'none', true],
      ['a passkey without user verification', 'due', true],
      ['a passkey', 'none', true],
      ['a passkey', 'in the grace period', true],
      ['a passkey', 'due', false],
      ['a passkey of a user without the role', 'due', true],
      ['a second factor', 'none', false],
      ['a second factor', 'due', false],
      ['a second factor and a passkey', 'due', false],
    ])('%s, requirement %s: can add one: %s', async (methods, requirement, allowed) => {
      let token = password;
      if (methods.endsWith('the role')) token = (await test.signIn(await test.createUser())).access_token;
      key.verifiesUser = !methods.includes('without user verification');
      if (methods.includes('passkey')) await addPasskey(token);
      // Its session is another one, which revokes those at AAL1.
      if (methods.includes('factor')) {
        await addSecondFactor(auth, token, () => new Date());
        token = (await test.signIn(ann)).access_token;
      }
      if (requirement !== 'none') await require(requirement === 'due' ? 0 : 5);
      const { status } = await auth('POST', '/factors', { bearer: token, body: { factor_type: 'totp' } });
      expect(status).toBe(allowed ? 200 : 403);
    });
  });

  it('leaves a way out to the owner of a lost passkey: a password reset, or its removal by the operator', async () => {
    const id = await addPasskey();
    await require();
    await auth('POST', '/recover', { body: { email: ann.email } });
    const [link] = linksIn(await test.emails(), ann.email);
    const body = { type: 'recovery', token_hash: link?.searchParams.get('token_hash') };
    const session = String((await auth('POST', '/verify', { body })).json['access_token']);
    const set = { bearer: session, body: { password: 'a fine password' } };
    expect((await auth('PUT', '/user', set)).status).toBe(200);
    expect(await test.database.query(sql`select from auth.webauthn_credentials where id = ${id}`)).toEqual(
      [],
    );
    const again = (await test.signIn({ ...ann, password: 'a fine password' })).access_token;
    const { elevated } = await addSecondFactor(auth, again, () => new Date());
    expect(elevated.status).toBe(200);

    const bo = await test.createUser({ isAdministrator: true });
    const boToken = (await test.signIn(bo)).access_token;
    const added = await registerPasskey(auth, boToken, new SoftwareAuthenticator(siteUrl)).catch(() => null);
    const path = `/admin/users/${bo.id}/passkeys/${String(added?.json['id'])}`;
    expect((await auth('DELETE', path, { bearer: test.serviceRoleKey })).status).toBe(204);
    expect((await auth('POST', '/factors', { bearer: boToken, body: { factor_type: 'totp' } })).status).toBe(
      200,
    );
    expect((await emailsTo(test, bo.email)).at(-1)?.subject).toContain('passkey was removed');
  });

  it('is reset by another administrator who is not too new, or by the operator, who remove passkeys, too', async () => {
    const id = await addPasskey();
    const session = await signIn();
    const young = await test.createUser({ isAdministrator: true, roleAgeHours: 1 });
    await auth('POST', '/logout?scope=global', { bearer: session });
    const youngToken = (await test.signIn(young)).access_token;
    const before = await test.fingerprint();
    const reset = (token: string) => call('reset-administrator-factors', { email: ann.email }, token);
    expect(await reset(youngToken)).toMatchObject([403, { code: 'administrator_too_new' }]);
    expect(await test.fingerprint()).toBe(before);
    const left = sql`select id from auth.webauthn_credentials where user_id = ${ann.id}`;
    expect(await test.database.query(left)).toEqual([{ id }]);
    expect(
      (await reset((await test.signIn(await test.createUser({ isAdministrator: true }))).access_token))[0],
    ).toBe(200);
    expect(await test.database.query(left)).toEqual([]);
    const recorded = sql`select action from private.audit_log where row_id = ${ann.id} and action = 'passkey_deleted'`;
    expect(await test.database.query(recorded)).toEqual([{ action: 'passkey_deleted' }]);
    await expect(runCommandIn(test, 'admins', 'reset-factors', ann.email)).resolves.toMatchObject({
      code: expect.stringContaining('has no second factor'),
    });
    key = new SoftwareAuthenticator(siteUrl);
    await addPasskey((await test.signIn(ann)).access_token);
    expect((await runCommandIn(test, 'admins', 'reset-factors', ann.email)).code).toBe(0);
    expect(await test.database.query(left)).toEqual([]);
  });

  it('lists for each administrator whether a passkey counts', async () => {
    await addPasskey();
    const bo = await test.createUser({ isAdministrator: true });
    const [, body] = await call('administrators', {}, password);
    const { administrators } = body as { administrators: { user_id: string }[] };
    expect(administrators.find(({ user_id }) => user_id === ann.id)).toMatchObject({
      second_factor: false,
      passkey: true,
    });
    expect(administrators.find(({ user_id }) => user_id === bo.id)).toMatchObject({
      second_factor: false,
      passkey: false,
    });
    expect((await call('administrator-details', { user_id: ann.id }, password))[1]).toMatchObject({
      passkey: true,
    });
  });

  it.each([
    ['PASSKEY_AAL2', 'off'],
    ['PASSKEYS', 'off'],
    ['PROFILE', 'compat'],
  ])(
    'does not count passkeys with %s=%s, and lets their owner set up a second factor',
    async (name, value) => {
      const off = await startTestService(engine, { settings: { [name]: value } });
      onTestFinished(() => off.close());
      const [offAuth, offCall] = [createAuthRequester(off), createFunctionCaller(off)];
      const owner = await off.createUser({ isAdministrator: true });
      const token = (await off.signIn(owner)).access_token;
      await off.database.query(sql`insert into auth.webauthn_credentials
      (user_id, credential_id, public_key, user_verified) values (${owner.id}, 'x', '', true)`);
      await runCommandIn(off, 'admins', 'require-second-factor', 'on', '--grace', '0');
      expect((await offCall('second-factor-requirement', {}, token))[1]).toMatchObject({
        passkey: false,
        blocked: true,
      });
      const { elevated } = await addSecondFactor(offAuth, token, () => new Date());
      expect((await offCall('administrators', {}, String(elevated.json['access_token'])))[0]).toBe(200);
    },
  );
});
