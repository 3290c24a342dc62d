import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { clientId, startIdTokenIssuer, type IdTokenIssuer } from './support/oidc-providers.ts';
import { eachEngine, startAuth, type AuthFixture } from './support/start-auth.ts';
import { waitUntilBlocked } from '@lanternrock/testing/wait-until-blocked';

eachEngine('POST /token?grant_type=id_token', { tags: ['C239'] }, (engine) => {
  let issuer: IdTokenIssuer;
  let test: AuthFixture;
  let auth: AuthRequester;
  beforeAll(async () => {
    issuer = await startIdTokenIssuer();
    test = await startAuth(engine, { settings: { OAUTH_PROVIDERS_FILE: issuer.file } });
    auth = createAuthRequester(test);
  });
  afterAll(async () => {
    await Promise.all([test.close(), issuer.close()]);
  });

  const grant = (body: object, bearer?: string) =>
    auth('POST', '/token?grant_type=id_token', { body, ...(bearer === undefined ? {} : { bearer }) });
  const idToken = (claims: object = {}): Promise<string> => issuer.sign({ sub: randomUUID(), ...claims });

  it('signs in by a verified email address, with the hashed nonce', async () => {
    const ann = await test.createUser();
    const nonce = createHash('sha256').update('raw nonce').digest('hex');
    const id_token = await idToken({
      email: ann.email,
      email_verified: 'true',
      nonce,
      aud: ['other', 'native-app'],
    });
    const { status, json } = await grant({
      provider: 'apple',
      id_token,
      nonce: 'raw nonce',
      access_token: 'x',
    });
    expect(status).toBe(200);
    expect(decodeClaims(json)).toMatchObject({ sub: ann.id, amr: [{ method: 'oauth' }] });
  });

  it('links an identity to the signed-in user', async () => {
    const ann = await test.createUser();
    const { access_token } = await test.signIn(ann);
    const body = { provider: 'apple', id_token: await idToken(), link_identity: true };
    expect((await grant(body, access_token)).json).toMatchObject({
      user: { id: ann.id, app_metadata: { providers: ['email', 'apple'] } },
    });
    expect(await grant(body, access_token)).toMatchObject({
      status: 422,
      json: { code: 'identity_already_exists' },
    });
    expect(await grant(body)).toMatchObject({
      status: 400,
      json: { error_description: 'Linking requires a valid user access token in Authorization' },
    });
  });

  // On the embedded engine, transactions run one after the other.
  it.runIf(engine === 'postgres')('creates no session during the removal of the identity', async () => {
    const ann = await test.createUser();
    const claims = { sub: randomUUID(), email: ann.email, email_verified: true };
    const body = async () => ({ provider: 'apple', id_token: await idToken(claims) });
    expect((await grant(await body())).status).toBe(200);
    const next = await body();
    const { response } = await test.database.transaction(async (tx) => {
      await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
      await tx.query(sql`delete from auth.identities where user_id = ${ann.id} and provider = 'apple'`);
      await tx.query(sql`delete from auth.sessions where user_id = ${ann.id}`);
      const pending = grant(next);
      await waitUntilBlocked(test.database);
      return { response: pending };
    });
    expect(await response).toMatchObject({ status: 422, json: { code: 'identity_not_found' } });
    expect(await test.database.query(sql`select from auth.sessions where user_id = ${ann.id}`)).toEqual([]);
  });

  it.runIf(engine === 'postgres')('links no identity in a session that is revoked concurrently', async () => {
    const ann = await test.createUser();
    const { access_token } = await test.signIn(ann);
    const body = { provider: 'apple', id_token: await idToken(), link_identity: true };
    const { response } = await test.database.transaction(async (tx) => {
      await tx.query(sql`select from auth.users where id = ${ann.id} for update`);
      await tx.query(sql`delete from auth.sessions where user_id = ${ann.id}`);
      const pending = grant(body, access_token);
      await waitUntilBlocked(test.database);
      return { response: pending };
    });
    expect(await response).toMatchObject({ status: 403, json: { error_code: 'session_not_found' } });
    const added = sql`select provider from auth.identities where user_id = ${ann.id}
      union all select 'session' from auth.sessions where user_id = ${ann.id}`;
    expect(await test.database.query(added)).toEqual([{ provider: 'email' }]);
  });

  it('rejects all other tokens and changes nothing', { tags: ['AUTH-38'] }, async () => {
    const ann = await test.createUser();
    const knownClaims = { email: ann.email, email_verified: true };
    const other = await startIdTokenIssuer();
    const cases: [object, object][] = [
      [{}, { error: 'invalid request', error_description: 'id_token required' }],
      [{ id_token: 'x' }, { error_description: 'provider or client_id and issuer required' }],
      [{ id_token: 'x', provider: 'apple' }, { error_description: 'Bad ID token' }],
      [
        {
          id_token: await other.sign({
            iss: issuer.url,
            aud: clientId,
            sub: 'x',
            ...knownClaims,
            iat: 1,
            exp: 9e9,
          }),
          provider: 'apple',
        },
        { error_description: 'Bad ID token' },
      ],
      [
        { id_token: await idToken({ ...knownClaims, iss: other.url }), provider: 'apple' },
        { error_description: 'Bad ID token' },
      ],
      [
        { id_token: await idToken({ ...knownClaims, exp: 1 }), provider: 'apple' },
        { error_description: 'Bad ID token' },
      ],
      [
        { id_token: await idToken({ ...knownClaims, aud: 'x' }), provider: 'apple' },
        { error_description: 'Unacceptable audience in id_token: [x]' },
      ],
      [
        { id_token: await idToken({ ...knownClaims, sub: undefined }), provider: 'apple' },
        { error_description: 'Missing sub claim in id_token' },
      ],
      [
        { id_token: await idToken({ ...knownClaims, nonce: 'a' }), provider: 'apple' },
        { error_description: 'Passed nonce and nonce in id_token should either both exist or not.' },
      ],
      [
        { id_token: await idToken({ ...knownClaims, nonce: 'a' }), provider: 'apple', nonce: 'b' },
        { error: 'invalid nonce', error_description: 'Nonces mismatch' },
      ],
      [
        { id_token: 'x', provider: 'google' },
        { code: 'provider_disabled', message: 'Provider (issuer "google") is not enabled' },
      ],
      [{ id_token: 'x', client_id: 'x', issuer: other.url }, { code: 'provider_disabled' }],
      [
        { id_token: 'x', provider: 'custom:mine' },
        { code: 'validation_failed', message: 'Custom OIDC provider "custom:mine" not allowed' },
      ],
      [
        { id_token: await idToken({ email: ann.email, email_verified: false }), provider: 'apple' },
        { code: 'signup_disabled' },
      ],
      [
        { id_token: (await test.signIn(ann)).access_token, provider: 'apple' },
        { error_description: 'Bad ID token' },
      ],
    ];
    const before = await test.fingerprint();
    for (const [body, json] of cases) expect((await grant(body)).json).toMatchObject(json);
    expect(await test.fingerprint()).toBe(before);
    await other.close();
  });
});
