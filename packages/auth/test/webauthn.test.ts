import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { startCrlServer, type CrlServer } from './support/crl-server.ts';
import { eachEngine, siteUrl, startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { setUpAuthUser } from './support/signed-in-user.ts';
import { SoftwareAuthenticator, type Attestation } from './support/software-authenticator.ts';

type CreationOptions = Parameters<SoftwareAuthenticator['create']>[0];
type RequestOptions = Parameters<SoftwareAuthenticator['get']>[0];

eachEngine('WebAuthn', (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  let key: SoftwareAuthenticator;
  const clock = setUpAuthUser(engine, (ready) => {
    ({ test, auth, ann, bearer } = ready);
    key = new SoftwareAuthenticator(siteUrl);
  });

  let crl: CrlServer;
  beforeAll(async () => {
    crl = await startCrlServer();
  });
  afterAll(() => crl.close());
  /**
   * An attestation statement that no verification accepts, with a certificate that names a revocation list.
   */
  const forged = (format: string): Attestation => ({
    format,
    statement: new Map<string, string | number | Uint8Array | Uint8Array[]>([
      ['ver', '2.0'],
      ['alg', -7],
      ['sig', Buffer.of(1)],
      ['x5c', [crl.certificate, crl.certificate]],
    ]),
  });

  describe('passkeys', () => {
    const begin = async (token = bearer) => {
      const { json } = await auth('POST', '/passkeys/registration/options', { bearer: token, body: {} });
      return {
        challenge_id: json['challenge_id'],
        options: json['options'] as CreationOptions & Record<string, unknown>,
      };
    };
    const register = async (with_ = key, attestation?: Attestation) => {
      const { challenge_id, options } = await begin();
      return auth('POST', '/passkeys/registration/verify', {
        bearer,
        body: { challenge_id, credential: with_.create(options, attestation) },
      });
    };
    const signIn = async (with_ = key) => {
      const { json } = await auth('POST', '/passkeys/authentication/options', { body: {} });
      const options = json['options'] as RequestOptions;
      expect(options).not.toHaveProperty('allowCredentials.0');
      return auth('POST', '/passkeys/authentication/verify', {
        body: { challenge_id: json['challenge_id'], credential: with_.get(options) },
      });
    };

    it('are registered, listed, renamed, used for sign-in, and deleted', async () => {
      const { options } = await begin();
      expect(options).toMatchObject({
        rp: { id: 'localhost' },
        user: { id: Buffer.from(ann.id).toString('base64url') },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required' },
      });
      expect(JSON.stringify(options['pubKeyCredParams'])).toContain('-7');
      const registered = await register();
      expect(registered).toMatchObject({
        status: 200,
        json: { id: expect.any(String), created_at: expect.any(String) },
      });
      const session = await signIn();
      expect(decodeClaims(session.json)).toMatchObject({
        sub: ann.id,
        aal: 'aal2',
        amr: [{ method: 'passkey' }],
      });
      const path = `/passkeys/${String(registered.json['id'])}`;
      expect((await auth('PATCH', path, { bearer, body: { friendly_name: 'Laptop' } })).json).toMatchObject({
        friendly_name: 'Laptop',
      });
      expect((await auth('GET', '/passkeys', { bearer })).json).toMatchObject([
        { friendly_name: 'Laptop', last_used_at: expect.any(String) },
      ]);
      expect((await auth('DELETE', path, { bearer })).status).toBe(204);
      expect(await signIn()).toMatchObject({ status: 400, json: { code: 'webauthn_verification_failed' } });
    });

    it('accept a challenge once, from its user, for five minutes', async () => {
      const first = await begin();
      const credential = key.create(first.options);
      const verify = (token = bearer, challenge_id = first.challenge_id) =>
        auth('POST', '/passkeys/registration/verify', { bearer: token, body: { challenge_id, credential } });
      const otherToken = (await test.signIn(await test.createUser())).access_token;
      expect(await verify(otherToken)).toMatchObject({
        status: 400,
        json: { code: 'webauthn_challenge_not_found' },
      });
      const responses = await Promise.all(Array.from({ length: 10 }, () => verify()));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(responses.filter(({ json }) => json['code'] === 'webauthn_challenge_not_found')).toHaveLength(9);
      const late = await begin();
      clock.pass(301_000);
      expect(await verify(bearer, late.challenge_id)).toMatchObject({
        status: 400,
        json: { code: 'webauthn_challenge_expired' },
      });
    });

    it('name an expired challenge until the purge, one day later', async () => {
      const options = () => auth('POST', '/passkeys/authentication/options', { body: {} });
      const challenges = [(await options()).json['challenge_id'], (await options()).json['challenge_id']];
      const verifyAfter = async (hours: number) => {
        clock.pass(hours * 3_600_000);
        await options();
        await test.service.purge();
        const body = { challenge_id: challenges.pop(), credential: {} };
        return (await auth('POST', '/passkeys/authentication/verify', { body })).json['code'];
      };
      expect(await verifyAfter(2)).toBe('webauthn_challenge_expired');
      expect(await verifyAfter(23)).toBe('webauthn_challenge_not_found');
    });

    it('replace the challenge of an earlier registration, also concurrently', async () => {
      const first = await begin();
      await Promise.all([begin(), begin(), begin()]);
      const stored = await test.database.query(
        sql`select from auth.webauthn_challenges where user_id = ${ann.id}`,
      );
      expect(stored).toHaveLength(1);
      expect(
        await auth('POST', '/passkeys/registration/verify', {
          bearer,
          body: { challenge_id: first.challenge_id, credential: key.create(first.options) },
        }),
      ).toMatchObject({ status: 400, json: { code: 'webauthn_challenge_not_found' } });
      expect((await auth('GET', '/passkeys', { bearer })).json).toEqual([]);
      expect(await register()).toMatchObject({ status: 200 });
    });

    it('reject another origin, another challenge, invalid input, and a duplicate key', async () => {
      const { challenge_id, options } = await begin();
      const otherOrigin = new SoftwareAuthenticator('https://evil.example').create(options);
      expect(
        await auth('POST', '/passkeys/registration/verify', {
          bearer,
          body: { challenge_id, credential: otherOrigin },
        }),
      ).toMatchObject({
        status: 400,
        json: { code: 'webauthn_verification_failed' },
      });
      for (const credential of [
        null,
        {},
        { id: 'x', response: [] },
        key.create({ ...options, challenge: 'AAAA' }),
      ]) {
        const fresh = await begin();
        const response = await auth('POST', '/passkeys/registration/verify', {
          bearer,
          body: { challenge_id: fresh.challenge_id, credential },
        });
        expect(response).toMatchObject({ status: 400, json: { code: 'webauthn_verification_failed' } });
      }
      await register();
      expect(await register()).toMatchObject({ status: 422, json: { code: 'webauthn_credential_exists' } });
      expect(await signIn(new SoftwareAuthenticator(siteUrl))).toMatchObject({
        status: 400,
        json: { code: 'webauthn_verification_failed' },
      });
    });

    it('ignore attestations of every format and fetch nothing that their certificates name', async () => {
      for (const format of [
        'apple',
        'android-key',
        'android-safetynet',
        'tpm',
        'packed',
        'fido-u2f',
        'new',
      ]) {
        const ownKey = new SoftwareAuthenticator(siteUrl);
        const { status } = await register(ownKey, forged(format));
        expect([format, status, crl.requests()]).toEqual([format, 200, 0]);
        expect(await signIn(ownKey)).toMatchObject({ status: 200 });
      }
    });

    it('reject an attestation object larger than 16 kB', async () => {
      const statement = new Map([['x5c', Buffer.alloc(16_384)]]);
      expect(await register(key, { format: 'none', statement })).toMatchObject({
        status: 400,
        json: { code: 'webauthn_verification_failed' },
      });
      expect((await auth('GET', '/passkeys', { bearer })).json).toEqual([]);
    });

    it('keep only the transports of the standard, and reject a credential ID above 1,023 bytes', async () => {
      const { challenge_id, options } = await begin();
      const credential = key.create(options) as { response: object };
      const response = {
        ...credential.response,
        transports: ['usb', 'x'.repeat(100_000), 7, 'internal', 'usb'],
      };
      const body = { challenge_id, credential: { ...credential, response } };
      const registered = await auth('POST', '/passkeys/registration/verify', { bearer, body });
      expect(registered).toMatchObject({ status: 200 });
      const stored = sql`select transports from auth.webauthn_credentials where user_id = ${ann.id}`;
      expect(await test.database.query(stored)).toEqual([{ transports: ['internal', 'usb'] }]);
      const before = await test.fingerprint();
      expect(await register(new SoftwareAuthenticator(siteUrl, 1024))).toMatchObject({
        status: 400,
        json: { code: 'webauthn_verification_failed' },
      });
      expect(await test.fingerprint()).toBe(before);
      expect(await register(new SoftwareAuthenticator(siteUrl, 1023))).toMatchObject({ status: 200 });
    });

    it('do not sign in banned users', async () => {
      await register();
      await test.database.query(
        sql`update auth.users set banned_until = ${new Date(clock.now().getTime() + 60_000)} where id = ${ann.id}`,
      );
      expect(await signIn()).toMatchObject({ status: 403, json: { code: 'user_banned' } });
    });

    it('reject renaming and deleting an unknown passkey or one of another user', async () => {
      const id = String((await register()).json['id']);
      const otherToken = (await test.signIn(await test.createUser())).access_token;
      for (const [method, path, token] of [
        ['DELETE', `/passkeys/${id}`, otherToken],
        ['PATCH', `/passkeys/${id}`, otherToken],
        ['DELETE', '/passkeys/x', bearer],
      ] as const) {
        expect(await auth(method, path, { bearer: token, body: { friendly_name: 'x' } })).toMatchObject({
          status: 404,
          json: { code: 'validation_failed' },
        });
      }
    });

    it('and factors reject names that are not seen, that turn the text, or that are too long', async () => {
      const path = `/passkeys/${String((await register()).json['id'])}`;
      const { challenge_id, options } = await begin();
      const verify = { challenge_id, credential: new SoftwareAuthenticator(siteUrl).create(options) };
      const before = await test.fingerprint();
      for (const name of ['\u202eenohP', '\u200b\u2060', 'a\u0000', 'a\ud83d', 'x'.repeat(201)])
        for (const [method, target, body] of [
          ['PATCH', path, { friendly_name: name }],
          ['POST', '/passkeys/registration/verify', { ...verify, friendly_name: name }],
          ['POST', '/factors', { factor_type: 'webauthn', friendly_name: name }],
          ['POST', '/factors', { factor_type: 'totp', issuer: name }],
        ] as const)
          expect(await auth(method, target, { bearer, body }), `${target} ${name}`).toMatchObject({
            status: 400,
            json: { code: 'validation_failed' },
          });
      expect(await auth('PATCH', path, { bearer, body: { friendly_name: '' } })).toMatchObject({
        status: 400,
      });
      expect(await test.fingerprint()).toBe(before);
      const longest = '\u{1f511}'.repeat(120);
      const registered = await auth('POST', '/passkeys/registration/verify', {
        bearer,
        body: { ...verify, friendly_name: ` ${longest} ` },
      });
      expect(registered).toMatchObject({ status: 200, json: { friendly_name: longest } });
    });
  });

  describe('as a second factor', () => {
    const enroll = async (): Promise<string> => {
      const { json } = await auth('POST', '/factors', {
        bearer,
        body: { factor_type: 'webauthn', friendly_name: 'Key' },
      });
      return String(json['id']);
    };
    const challenge = async (id: string, token = bearer) => {
      const { json } = await auth('POST', `/factors/${id}/challenge`, {
        bearer: token,
        body: { webauthn: { rpId: 'localhost', rpOrigins: [siteUrl] } },
      });
      const webauthn = json['webauthn'] as {
        type: string;
        credential_options: { publicKey: CreationOptions & RequestOptions };
      };
      return {
        challenge_id: json['id'],
        type: webauthn.type,
        options: webauthn.credential_options.publicKey,
      };
    };
    const verify = (
      id: string,
      challenge_id: unknown,
      type: string,
      credential_response: unknown,
      token = bearer,
    ) =>
      auth('POST', `/factors/${id}/verify`, {
        bearer: token,
        body: {
          challenge_id,
          webauthn: { rpId: 'localhost', rpOrigins: [siteUrl], type, credential_response },
        },
      });

    it('is created by the first verification and required by the next', async () => {
      const id = await enroll();
      const first = await challenge(id);
      expect(first.type).toBe('create');
      const elevated = await verify(id, first.challenge_id, 'create', key.create(first.options));
      expect(elevated.status).toBe(200);
      expect(decodeClaims(elevated.json)).toMatchObject({
        aal: 'aal2',
        amr: expect.arrayContaining([expect.objectContaining({ method: 'mfa/webauthn' })]),
      });
      const fresh = (await test.signIn(ann)).access_token;
      const second = await challenge(id, fresh);
      expect(second.type).toBe('request');
      expect((await verify(id, second.challenge_id, 'request', key.get(second.options), fresh)).status).toBe(
        200,
      );
    });

    it('ignores an attestation and fetches nothing that its certificates name', async () => {
      const id = await enroll();
      const { challenge_id, options } = await challenge(id);
      const { status } = await verify(id, challenge_id, 'create', key.create(options, forged('apple')));
      expect([status, crl.requests()]).toEqual([200, 0]);
    });

    it('rejects another key, another origin and a used challenge', async () => {
      const id = await enroll();
      const { challenge_id, options } = await challenge(id);
      const otherOrigin = new SoftwareAuthenticator('https://evil.example').create(options);
      expect(await verify(id, challenge_id, 'create', otherOrigin)).toMatchObject({
        status: 422,
        json: { code: 'mfa_verification_failed' },
      });
      const right = key.create(options);
      expect((await verify(id, challenge_id, 'create', right)).status).toBe(200);
      expect(await verify(id, challenge_id, 'create', right)).toMatchObject({
        status: 422,
        json: { code: 'mfa_ip_address_mismatch' },
      });
      const fresh = (await test.signIn(ann)).access_token;
      const second = await challenge(id, fresh);
      const other = new SoftwareAuthenticator(siteUrl).get({ ...second.options, rpId: 'localhost' });
      expect(await verify(id, second.challenge_id, 'request', other, fresh)).toMatchObject({
        status: 422,
        json: { code: 'mfa_verification_failed' },
      });
    });
  });

  it('returns the errors of the contract where passkeys are disabled', async () => {
    const disabled = await startAuth(engine, { settings: { PASSKEYS: false } });
    const call = createAuthRequester(disabled);
    const session = await disabled.signIn(await disabled.createUser());
    for (const path of ['/passkeys/registration/options', '/passkeys/authentication/options']) {
      expect(await call('POST', path, { bearer: session.access_token, body: {} })).toMatchObject({
        status: 404,
        json: { code: 'passkey_disabled', message: 'Passkeys are disabled' },
      });
    }
    expect(
      await call('POST', '/factors', { bearer: session.access_token, body: { factor_type: 'webauthn' } }),
    ).toMatchObject({ status: 422, json: { code: 'mfa_webauthn_enroll_not_enabled' } });
    await disabled.close();
  });
});
