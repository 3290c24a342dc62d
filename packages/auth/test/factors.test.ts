import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createEncryptor } from '../src/keys/encryption.ts';
import { decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { authClient } from './support/auth-client.ts';
import { eachEngine, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { setUpAuthUser } from './support/signed-in-user.ts';

type Session = { access_token: string; refresh_token: string };

const toFullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));

eachEngine('second factors', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let session: Session;
  const clock = setUpAuthUser(engine, (ready) => {
    ({ test, auth, ann, session } = ready);
  });

  const enroll = async (bearer = session.access_token, name = '') => {
    const { json } = await auth('POST', '/factors', {
      bearer,
      body: { factor_type: 'totp', friendly_name: name },
    });
    return { id: String(json['id']), totp: json['totp'] as { secret: string; qr_code: string; uri: string } };
  };
  const codeFor = (secret: string, steps = 0): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: clock.now().getTime() + steps * 30_000,
    });
  const challenge = async (id: string, bearer = session.access_token): Promise<string> =>
    String((await auth('POST', `/factors/${id}/challenge`, { bearer, body: { factorId: id } })).json['id']);
  const verify = (id: string, body: object, bearer = session.access_token) =>
    auth('POST', `/factors/${id}/verify`, { bearer, body });
  /** Enrolls and verifies a factor and returns the AAL2 session. */
  const enrollAndVerify = async () => {
    clock.pass(1000);
    const { id, totp } = await enroll();
    const elevated = await verify(id, { challenge_id: await challenge(id), code: codeFor(totp.secret) });
    expect(elevated.status).toBe(200);
    return { id, secret: totp.secret, elevated: elevated.json as unknown as Session };
  };
  const checkSession = (token: Session) => {
    const { session_id, sub, aal } = decodeClaims({ ...token });
    return test.database.query(sql`select auth.require_live_session(${session_id}, ${sub}, ${aal})`);
  };

  it('enrolls with a secret, a URI and an image that fits into a data URL', { tags: ['C243'] }, async () => {
    const { json, status } = await auth('POST', '/factors', {
      bearer: session.access_token,
      body: { factor_type: 'totp', friendly_name: 'Phone', issuer: 'Hut' },
    });
    expect(status).toBe(200);
    const totp = json['totp'] as Record<string, string>;
    expect(json).toMatchObject({ type: 'totp', friendly_name: 'Phone' });
    expect(totp['secret']).toMatch(/^[A-Z2-7]{32}$/);
    expect(totp['uri']).toMatch(
      /^otpauth:\/\/totp\/Hut:.*issuer=Hut.*secret=.*algorithm=SHA1.*digits=6.*period=30/,
    );
    expect(totp['qr_code']).toMatch(/^<svg[^#%]*<\/svg>$/);
    const user = await auth('GET', '/user', { bearer: session.access_token });
    expect(user.text).not.toContain(totp['secret']);
    const [row] = await test.database.query<{ secret: Uint8Array }>(
      sql`select secret from auth.mfa_factors where id = ${String(json['id'])}`,
    );
    expect(Buffer.from(row?.secret ?? []).toString('latin1')).not.toContain(
      Buffer.from(Secret.fromBase32(totp['secret'] ?? '').bytes).toString('latin1'),
    );
  });

  it('elevates the session to aal2 and revokes the others', { tags: ['C244', 'C245', 'C185'] }, async () => {
    const other = await test.signIn(ann);
    const { id, elevated } = await enrollAndVerify();
    expect(decodeClaims(elevated as never)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'totp' }, { method: 'password' }],
    });
    expect(await auth('GET', '/user', { bearer: other.access_token })).toMatchObject({
      status: 403,
      json: { code: 'session_not_found' },
    });
    expect((await auth('GET', '/user', { bearer: elevated.access_token })).json).toMatchObject({
      factors: [{ id, status: 'verified', factor_type: 'totp' }],
    });
    const refreshed = await auth('POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: elevated.refresh_token },
    });
    expect(decodeClaims(refreshed.json)).toMatchObject({ aal: 'aal2' });
    clock.pass(20_000);
    const before = await auth('POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: session.refresh_token },
    });
    expect(before).toMatchObject({ status: 400, json: { code: 'refresh_token_already_used' } });
  });

  it('limits an aal1 session of a user with a factor to factors, /user and /logout', async () => {
    await enrollAndVerify();
    const fresh = await test.signIn(ann);
    await expect(checkSession(fresh)).rejects.toMatchObject({ code: 'LR004' });
    expect((await auth('GET', '/user', { bearer: fresh.access_token })).status).toBe(200);
    expect(await auth('GET', '/user/sessions', { bearer: fresh.access_token })).toMatchObject({
      status: 403,
      json: { code: 'insufficient_aal' },
    });
    expect((await auth('POST', '/logout?scope=local', { bearer: fresh.access_token })).status).toBe(204);
  });

  it('rejects password and factor changes in an aal1 session', { tags: ['AUTH-45'] }, async () => {
    const { id } = await enrollAndVerify();
    const fresh = await test.signIn(ann);
    const bearer = fresh.access_token;
    const before = await test.fingerprint();
    expect(await auth('PUT', '/user', { bearer, body: { password: 'a better password' } })).toMatchObject({
      status: 401,
      json: { code: 'insufficient_aal' },
    });
    expect(await auth('PUT', '/user', { bearer, body: { email: 'new@example.org' } })).toMatchObject({
      status: 401,
      json: { code: 'insufficient_aal' },
    });
    expect(await auth('DELETE', `/factors/${id}`, { bearer })).toMatchObject({
      status: 422,
      json: { code: 'insufficient_aal' },
    });
    expect(await auth('POST', '/factors', { bearer, body: { factor_type: 'totp' } })).toMatchObject({
      status: 403,
      json: { code: 'insufficient_aal' },
    });
    expect(await test.fingerprint()).toBe(before);
  });

  describe('a code', { tags: ['AUTH-46'] }, () => {
    it('works once, also when it is sent ten times concurrently', async () => {
      const { id, totp } = await enroll();
      const challenges = await Promise.all(Array.from({ length: 10 }, () => challenge(id)));
      const code = codeFor(totp.secret);
      const responses = await Promise.all(
        challenges.map((challenge_id) => verify(id, { challenge_id, code })),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      const again = await verify(id, { challenge_id: await challenge(id), code });
      expect(again).toMatchObject({
        status: 422,
        json: { code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' },
      });
    });

    it.each([
      [-2, 422],
      [-1, 200],
      [1, 200],
      [2, 422],
    ])('of time step %d, in full-width digits, returns %d', async (steps, status) => {
      const { id, totp } = await enroll();
      const code = toFullWidth(codeFor(totp.secret, steps));
      expect((await verify(id, { challenge_id: await challenge(id), code })).status).toBe(status);
    });

    it('is rejected with the errors of the contract, and no session is elevated', async () => {
      const { id, totp } = await enroll();
      const challenge_id = await challenge(id);
      expect(await verify(id, { challenge_id, code: '' })).toMatchObject({
        status: 400,
        json: { message: 'Code needs to be non-empty' },
      });
      expect(await verify(id, { challenge_id, code: '12345６' })).toMatchObject({
        status: 422,
        json: { code: 'mfa_verification_failed' },
      });
      const unknown = { challenge_id: crypto.randomUUID(), code: codeFor(totp.secret) };
      expect(await verify(id, unknown)).toMatchObject({
        status: 422,
        json: { code: 'mfa_factor_not_found' },
      });
      expect(await verify('nonsense', unknown)).toMatchObject({
        status: 404,
        json: { code: 'validation_failed' },
      });
      const otherSession = await test.signIn(await test.createUser());
      expect(
        await verify(id, { challenge_id, code: codeFor(totp.secret) }, otherSession.access_token),
      ).toMatchObject({
        status: 404,
        json: { code: 'mfa_factor_not_found', message: 'Factor not found' },
      });
      clock.pass(301_000);
      expect(await verify(id, { challenge_id, code: codeFor(totp.secret) })).toMatchObject({
        status: 422,
        json: { code: 'mfa_challenge_expired' },
      });
      expect(decodeClaims(session as never)).toMatchObject({ aal: 'aal1' });
      await checkSession(session);
    });
  });

  it('removing the factor lowers its sessions immediately', { tags: ['C246', 'AUTH-47'] }, async () => {
    const { id, elevated } = await enrollAndVerify();
    expect(await auth('DELETE', `/factors/${id}`, { bearer: elevated.access_token })).toMatchObject({
      status: 200,
      json: { id },
    });
    const refreshed = await auth('POST', '/token?grant_type=refresh_token', {
      body: { refresh_token: elevated.refresh_token },
    });
    expect(decodeClaims(refreshed.json)).toMatchObject({ aal: 'aal1', amr: [{ method: 'password' }] });
    await checkSession(session);
    expect(await auth('DELETE', `/factors/${id}`, { bearer: elevated.access_token })).toMatchObject({
      status: 404,
    });
  });

  describe('enrollment rejects', () => {
    it.each([
      [
        { factor_type: 'phone', phone: '+49151' },
        422,
        'mfa_phone_enroll_not_enabled',
        'MFA enroll is disabled for Phone',
      ],
      [
        { factor_type: 'retina' },
        400,
        'validation_failed',
        'factor_type needs to be totp, phone, or webauthn',
      ],
      [{ factor_type: { $ne: 1 } }, 400, 'validation_failed', 'factor_type must be a string'],
    ])('%j', async (body, status, code, message) => {
      expect(await auth('POST', '/factors', { bearer: session.access_token, body })).toMatchObject({
        status,
        json: { code, message },
      });
    });

    it('an existing name, but not a second empty one, and an eleventh factor', async () => {
      await enroll(session.access_token, 'Phone');
      const again = await auth('POST', '/factors', {
        bearer: session.access_token,
        body: { factor_type: 'totp', friendly_name: 'Phone' },
      });
      expect(again).toMatchObject({ status: 422, json: { code: 'mfa_factor_name_conflict' } });
      for (let count = 1; count < 10; count += 1) await enroll();
      const eleventh = await auth('POST', '/factors', {
        bearer: session.access_token,
        body: { factor_type: 'totp' },
      });
      expect(eleventh).toMatchObject({ status: 422, json: { code: 'too_many_enrolled_mfa_factors' } });
    });

    it('an unauthenticated request', async () => {
      expect(await auth('POST', '/factors', { body: { factor_type: 'totp' } })).toMatchObject({
        status: 403,
        json: { code: 'bad_jwt' },
      });
    });
  });

  it('recovery keeps the factor and stays at aal1', { tags: ['AUTH-50'] }, async () => {
    const { id } = await enrollAndVerify();
    clock.pass(120_000);
    await auth('POST', '/recover', { body: { email: ann.email } });
    // Security notices about the factor go to the same address, some of them later.
    const link = (await test.linksTo(ann.email)).findLast((one) => one.searchParams.has('token_hash'));
    const token = link?.searchParams.get('token_hash');
    const recovered = await auth('POST', '/verify', { body: { type: 'recovery', token_hash: token } });
    expect(decodeClaims(recovered.json)).toMatchObject({ aal: 'aal1' });
    const bearer = String(recovered.json['access_token']);
    expect(await auth('DELETE', `/factors/${id}`, { bearer })).toMatchObject({ status: 422 });
    expect(await auth('PUT', '/user', { bearer, body: { password: 'a better password' } })).toMatchObject({
      status: 401,
    });
  });

  it('after a restore without the key, rejects codes and sessions with a message that names the fix', async () => {
    const { id, secret, elevated } = await enrollAndVerify();
    await auth('POST', '/factors/recovery-codes', { bearer: elevated.access_token, body: {} });
    const other = createEncryptor(randomBytes(32));
    const { session_id } = decodeClaims({ ...elevated });
    const fresh = await test.signIn(ann);
    await test.database.query(
      sql`update auth.mfa_factors set secret = ${other.encrypt(randomBytes(20), `totp:${id}`)} where id = ${id}`,
    );
    await test.database.query(
      sql`update auth.sessions set refresh_token_key = ${other.encrypt(randomBytes(32), `refresh:${String(session_id)}`)}
          where id = ${session_id}`,
    );
    const { access_token: bearer } = fresh;
    const challenge_id = await challenge(id, bearer);
    const before = await test.fingerprint();
    const keyError = {
      status: 422,
      json: {
        code: 'mfa_factor_unreadable',
        message: expect.stringContaining('ask another administrator to remove your second factor') as string,
      },
    };
    expect(await verify(id, { challenge_id, code: codeFor(secret) }, bearer)).toMatchObject(keyError);
    expect(
      await auth('POST', '/factors/recovery-codes/verify', { bearer, body: { code: 'AAAA-AAAA-AAAA' } }),
    ).toMatchObject(keyError);
    expect(
      await auth('POST', '/token?grant_type=refresh_token', {
        body: { refresh_token: elevated.refresh_token },
      }),
    ).toMatchObject({ status: 400, json: { code: 'refresh_token_not_found' } });
    expect(await test.fingerprint()).toBe(before);
  });

  describe('recovery codes', () => {
    it('replace the factor once each, and are locked after wrong attempts', async () => {
      const { elevated } = await enrollAndVerify();
      expect(
        await auth('POST', '/factors/recovery-codes', { bearer: session.access_token, body: {} }),
      ).toMatchObject({ status: 403 });
      const generated = await auth('POST', '/factors/recovery-codes', {
        bearer: elevated.access_token,
        body: { friendly_name: 'Paper' },
      });
      const codes = generated.json['codes'] as string[];
      expect(new Set(codes).size).toBe(10);
      expect(codes[0]).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}$/);
      const fresh = await test.signIn(ann);
      const use = (code: string) =>
        auth('POST', '/factors/recovery-codes/verify', { bearer: fresh.access_token, body: { code } });
      clock.pass(1000);
      const used = await use(` ${(codes[0] ?? '').toLowerCase().replaceAll('-', '')} `);
      expect(decodeClaims(used.json)).toMatchObject({
        aal: 'aal2',
        amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
      });
      expect(await use(codes[0] ?? '')).toMatchObject({
        status: 422,
        json: { code: 'mfa_verification_failed' },
      });
      expect(
        (await auth('GET', '/factors/recovery-codes', { bearer: fresh.access_token })).json,
      ).toMatchObject({ total: 10, remaining: 9 });
      for (let count = 1; count < 5; count += 1) await use('AAAA-AAAA-AAAA');
      const locked = await use(codes[1] ?? '');
      expect(locked).toMatchObject({ status: 429, json: { code: 'mfa_recovery_codes_locked' } });
      expect(Number(locked.headers.get('Retry-After'))).toBeGreaterThan(0);
      clock.pass(901_000);
      expect((await use(toFullWidth(codes[1] ?? ''))).status).toBe(200);
      const again = await auth('POST', '/factors/recovery-codes/regenerate', {
        bearer: String(used.json['access_token']),
        body: {},
      });
      expect(again.json['codes']).not.toEqual(codes);
      expect(
        (await auth('DELETE', '/factors/recovery-codes', { bearer: String(used.json['access_token']) }))
          .status,
      ).toBe(200);
    });

    it('are deleted with the last factor', async () => {
      const { id, elevated } = await enrollAndVerify();
      await auth('POST', '/factors/recovery-codes', { bearer: elevated.access_token, body: {} });
      await auth('DELETE', `/factors/${id}`, { bearer: elevated.access_token });
      expect(await auth('GET', '/factors/recovery-codes', { bearer: elevated.access_token })).toMatchObject({
        status: 200,
        json: { id: null, type: 'recovery_code', total: 0, remaining: 0 },
      });
    });
  });

  it('works through the published client', { tags: ['C180', 'C186'] }, async () => {
    const client = authClient(test);
    const events: string[] = [];
    client.onAuthStateChange((event) => void events.push(event));
    await client.signInWithPassword({ email: ann.email, password: ann.password });
    const before = await client.mfa.getAuthenticatorAssuranceLevel();
    expect(before.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    const enrolled = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Key' });
    if (enrolled.error) throw enrolled.error;
    expect(enrolled.data.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    const verified = await client.mfa.challengeAndVerify({
      factorId: enrolled.data.id,
      code: codeFor(enrolled.data.totp.secret),
    });
    expect(verified.error).toBeNull();
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    });
    expect((await client.mfa.listFactors()).data?.totp).toHaveLength(1);
    expect((await client.mfa.unenroll({ factorId: enrolled.data.id })).error).toBeNull();
    await client.refreshSession();
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal1',
    });
    expect(events).toContain('MFA_CHALLENGE_VERIFIED');
  });
});
