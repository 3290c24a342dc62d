import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import * as jose from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Principal, RejectedToken } from '../src/auth-types.ts';
import { generateSigningKey } from '../src/keys/signing-keys.ts';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { startAuth, type AuthFixture, type TestUser } from './support/start-auth.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('verification of access tokens', () => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let validToken: string;
  let claims: jose.JWTPayload;
  let authenticate: (headers: Record<string, string>) => Promise<Principal | RejectedToken>;
  let signingKey: jose.JWK;
  const nowMs = Date.now();
  const nowSeconds = Math.floor(nowMs / 1000);
  beforeAll(async () => {
    signingKey = await generateSigningKey();
    test = await startAuth('embedded', { now: () => new Date(nowMs), signingKey });
    auth = createAuthRequester(test);
    ann = await test.createUser();
    const session = await test.signIn(ann);
    validToken = session.access_token;
    claims = decodeClaims(session);
    authenticate = (headers) => test.service.authenticate(new Headers(headers));
  });
  afterAll(() => test.close());

  const bearer = (token: string) => authenticate({ Authorization: `Bearer ${token}`, apikey: test.anonKey });
  const signed = (change: object): Promise<string> =>
    test.options.keys.signing.sign({ ...claims, ...change });
  const publicJwk = (): jose.JWK => test.options.keys.signing.published.keys[0] ?? { kty: 'none' };

  it(
    'verifies against the published key set, which contains public keys only',
    { tags: ['C247', 'AUTH-39'] },
    async () => {
      const { json, headers } = await auth('GET', '/.well-known/jwks.json');
      expect(headers.get('Cache-Control')).toBe('public, max-age=600');
      const keys = json['keys'] as jose.JWK[];
      for (const key of keys) {
        expect(
          Object.keys(key).filter((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(name)),
        ).toEqual([]);
        expect(key).toMatchObject({ alg: 'ES256', use: 'sig', key_ops: ['verify'], kid: expect.any(String) });
      }
      const { payload } = await jose.jwtVerify(validToken, jose.createLocalJWKSet({ keys }), {
        audience: 'authenticated',
      });
      expect(payload.sub).toBe(ann.id);
    },
  );

  it('authenticates users, API keys and anonymous requests', async () => {
    expect(await bearer(validToken)).toMatchObject({
      role: 'authenticated',
      userId: ann.id,
      sessionId: claims['session_id'],
      aal: 'aal1',
      expiresAt: claims.exp,
    });
    expect(await authenticate({})).toEqual({
      role: 'anon',
      claims: '{"role":"anon"}',
      userId: null,
      sessionId: null,
      aal: null,
      expiresAt: null,
    });
    expect(
      await authenticate({ apikey: test.anonKey, Authorization: `Bearer ${test.anonKey}` }),
    ).toMatchObject({
      role: 'anon',
    });
    expect(await authenticate({ apikey: test.serviceRoleKey })).toMatchObject({ role: 'service_role' });
    expect(await authenticate({ Authorization: `Bearer ${test.serviceRoleKey}` })).toMatchObject({
      role: 'service_role',
    });
    expect(
      await authenticate({ apikey: test.serviceRoleKey, Authorization: `Bearer ${validToken}` }),
    ).toMatchObject({
      role: 'authenticated',
    });
    expect(await authenticate({ apikey: 'something else' })).toMatchObject({ role: 'anon' });
  });

  it('rejects an unknown API key, also beside the publishable or the secret key', async () => {
    const unknown = 'sb_secret_guess';
    const Authorization = `Bearer ${unknown}`;
    for (const headers of [
      { Authorization },
      { Authorization, apikey: test.anonKey },
      { Authorization, apikey: test.serviceRoleKey },
      { Authorization, apikey: unknown },
      { apikey: unknown },
    ])
      expect(await authenticate(headers)).toEqual({ rejected: 'signature', message: 'Invalid API key' });
    // A user stays signed in after the publishable key was replaced.
    expect(await authenticate({ Authorization: `Bearer ${validToken}`, apikey: unknown })).toMatchObject({
      role: 'authenticated',
    });
  });

  it('rejects a malformed or repeated Authorization header and ignores the Basic scheme', async () => {
    const two = new Headers([
      ['Authorization', `Bearer ${validToken}`],
      ['Authorization', `Bearer ${test.anonKey}`],
    ]).get('Authorization');
    for (const Authorization of [
      two,
      `Basic eDp5, Bearer ${validToken}`,
      `bearer ${validToken} x`,
      'Bearer',
      `Bearer ${validToken},`,
    ]) {
      expect(await authenticate({ Authorization: Authorization ?? '', apikey: test.anonKey })).toMatchObject({
        rejected: 'signature',
      });
    }
    expect(await authenticate({ Authorization: 'Basic eDp5' })).toMatchObject({ role: 'anon' });
  });

  /** Returns the valid token with other parts. */
  const tokenWith = (parts: { header: object; payload?: object; signature?: string }): string => {
    const [, payload = '', signature = ''] = validToken.split('.');
    return [
      encode(parts.header),
      parts.payload ? encode(parts.payload) : payload,
      parts.signature ?? signature,
    ].join('.');
  };
  const header = () => ({ alg: 'ES256', typ: 'JWT', kid: publicJwk().kid });

  /** Signs the claims with HMAC, as if the public key were a shared secret. */
  const signWithPublicKey = async (form: 'pem' | 'pem without newline' | 'jwk' | 'der'): Promise<string> => {
    const jwk = publicJwk();
    const key = await jose.importJWK({ ...jwk, key_ops: ['verify'] }, 'ES256', { extractable: true });
    const pem = await jose.exportSPKI(key as jose.CryptoKey);
    const secrets = {
      pem,
      'pem without newline': pem.trimEnd(),
      jwk: JSON.stringify(jwk),
      der: Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'),
    };
    const body = `${encode({ ...header(), alg: 'HS256' })}.${encode(claims)}`;
    return `${body}.${createHmac('sha256', secrets[form]).update(body).digest('base64url')}`;
  };

  const forged: Record<string, () => Promise<string> | string> = {
    'no alg': () => tokenWith({ header: { typ: 'JWT' } }),
    '64 zero bytes': () => tokenWith({ header: header(), signature: Buffer.alloc(64).toString('base64url') }),
    'another ES256 key': () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return new jose.SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: publicJwk().kid ?? '' })
        .sign(privateKey);
    },
    'a key in its header': async () => {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = await jose.exportJWK(publicKey);
      return new jose.SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', jwk, jku: 'http://127.0.0.1:9/' })
        .sign(privateKey);
    },
    'five parts': () =>
      `${encode({ alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 1e9, p2s: 'AA' })}.a.b.c.d`,
    'two parts': () => validToken.split('.').slice(0, 2).join('.'),
    '100 kB': () => `${validToken}${'A'.repeat(100_000)}`,
    'an added header parameter': () => tokenWith({ header: { ...header(), extra: 1 } }),
    'a changed role': () => tokenWith({ header: header(), payload: { ...claims, role: 'service_role' } }),
  };
  for (const alg of ['none', 'None', 'nOnE', '']) {
    forged[`alg "${alg}"`] = () => tokenWith({ header: { alg, typ: 'JWT' }, signature: '' });
  }
  for (const form of ['pem', 'pem without newline', 'jwk', 'der'] as const) {
    forged[`HS256 with the public key as ${form}`] = () => signWithPublicKey(form);
  }
  for (const kid of [
    '../../../../dev/null',
    "' or 1=1--",
    '__proto__',
    'toString',
    7,
    [],
    'k'.repeat(9000),
  ]) {
    forged[`kid ${JSON.stringify(kid).slice(0, 30)}`] = () => tokenWith({ header: { ...header(), kid } });
  }

  it.each(Object.entries(forged))(
    'rejects %s',
    { tags: ['AUTH-35', 'AUTH-36'] },
    async (_name, signToken) => {
      const token = await signToken();
      expect(await bearer(token)).toMatchObject({ rejected: 'signature' });
      expect(await auth('GET', '/user', { bearer: token })).toMatchObject({
        status: 403,
        json: { code: 'bad_jwt' },
      });
    },
  );

  it(
    'rejects a validly signed token with an unknown critical header parameter',
    { tags: ['AUTH-35', 'AUTH-36'] },
    async () => {
      const sign = async (parameters: object): Promise<string> =>
        new jose.SignJWT(claims)
          .setProtectedHeader({ alg: 'ES256', kid: signingKey.kid ?? '', ...parameters })
          .sign(await jose.importJWK({ ...signingKey, key_ops: ['sign'] }, 'ES256'), { crit: { x: true } });
      expect(await bearer(await sign({ x: 1 }))).toMatchObject({ userId: ann.id });
      expect(await bearer(await sign({ x: 1, crit: ['x'] }))).toMatchObject({ rejected: 'signature' });
    },
  );

  it.each([
    ['exp 31 s ago', { exp: nowSeconds - 31 }],
    ['exp missing', { exp: undefined }],
    ['exp as text', { exp: String(nowSeconds + 1000) }],
    ['exp negative', { exp: -1 }],
    ['nbf in 100 s', { nbf: nowSeconds + 100 }],
    ['iat in 100 s', { iat: nowSeconds + 100 }],
    ['another audience', { aud: 'elsewhere' }],
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['a sub that is no UUID', { sub: "1' or 1=1" }],
    ['a session_id that is no UUID', { session_id: 'x' }],
    ['role postgres', { role: 'postgres' }],
    ['role authenticator', { role: 'authenticator' }],
    ['role as a list', { role: ['authenticated'] }],
    ['role empty', { role: '' }],
    ['role with SQL', { role: 'anon; drop table x' }],
  ])('rejects %s', { tags: ['AUTH-37', 'AUTH-38'] }, async (_name, change) => {
    expect(await bearer(await signed(change))).toHaveProperty('rejected');
  });

  it(
    'accepts tokens 90 seconds before and 30 seconds after their validity',
    { tags: ['AUTH-37'] },
    async () => {
      expect(await bearer(await signed({ exp: nowSeconds - 29 }))).toMatchObject({ role: 'authenticated' });
      expect(await bearer(await signed({ iat: nowSeconds + 89, nbf: nowSeconds + 89 }))).toMatchObject({
        role: 'authenticated',
      });
    },
  );

  it('uses the role anon for a token without a role', { tags: ['AUTH-37'] }, async () => {
    expect(await bearer(await signed({ role: undefined }))).toMatchObject({ role: 'anon' });
  });

  it('rejects a refresh token and a one-time token as access tokens', { tags: ['AUTH-38'] }, async () => {
    const { refresh_token } = await test.signIn(ann);
    expect(await bearer(refresh_token)).toMatchObject({ rejected: 'signature' });
    await auth('POST', '/recover', { body: { email: ann.email } });
    const link = (await test.linksTo(ann.email)).at(-1);
    const tokenHash = link?.searchParams.get('token_hash') ?? '';
    expect(tokenHash).not.toBe('');
    expect(await bearer(tokenHash)).toMatchObject({ rejected: 'signature' });
  });

  it('returns the cause of invalid claims to clients of the Auth API', async () => {
    const token = (change: object) => signed(change).then((text) => auth('GET', '/user', { bearer: text }));
    expect(await token({ sub: undefined })).toMatchObject({
      status: 403,
      json: { code: 'bad_jwt', message: 'invalid claim: missing sub claim' },
    });
    expect(await token({ sub: 'x' })).toMatchObject({
      status: 400,
      json: { code: 'bad_jwt', message: 'invalid claim: sub claim must be a UUID' },
    });
    expect(await token({ sub: randomUUID() })).toMatchObject({
      status: 403,
      json: { code: 'user_not_found' },
    });
    expect(await token({ session_id: randomUUID() })).toMatchObject({
      status: 403,
      json: { code: 'session_not_found' },
    });
    expect(await token({ exp: nowSeconds - 31 })).toMatchObject({
      status: 403,
      json: {
        code: 'bad_jwt',
        message: expect.stringMatching(/^invalid JWT: unable to parse or verify signature, /),
      },
    });
    expect(await token({ session_id: undefined })).toMatchObject({ status: 200 });
  });

  it('keeps tokens of the old key valid until the key is dropped', { tags: ['AUTH-39'] }, async () => {
    const rotating = await startAuth('embedded');
    onTestFinished(() => rotating.close());
    const requester = createAuthRequester(rotating);
    const ben = await rotating.createUser();
    const old = await rotating.signIn(ben);
    const status = async (token: string) => (await requester('GET', '/user', { bearer: token })).status;
    expect(await status(old.access_token)).toBe(200);
    await rotating.options.keys.rotate();
    const fresh = await rotating.signIn(ben);
    expect(jose.decodeProtectedHeader(fresh.access_token).kid).not.toBe(
      jose.decodeProtectedHeader(old.access_token).kid,
    );
    expect([await status(old.access_token), await status(fresh.access_token)]).toEqual([200, 200]);
    await rotating.options.keys.rotate({ dropOld: true });
    expect([await status(old.access_token), await status(fresh.access_token)]).toEqual([403, 403]);
    expect(((await requester('GET', '/.well-known/jwks.json')).json['keys'] as unknown[]).length).toBe(1);
  });
});
