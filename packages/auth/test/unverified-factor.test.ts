import { expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { decodeClaims, type AuthRequester } from './support/auth-requests.ts';
import { addSecondFactor } from './support/second-factor.ts';
import { eachEngine, siteUrl, type AuthFixture, type TestUser } from './support/start-auth.ts';
import { setUpAuthUser } from './support/signed-in-user.ts';
import { SoftwareAuthenticator } from './support/software-authenticator.ts';

type CreationOptions = Parameters<SoftwareAuthenticator['create']>[0];

eachEngine('an unverified factor', { tags: ['AUTH-45'] }, (engine) => {
  let test: AuthFixture;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  const clock = setUpAuthUser(engine, (ready) => {
    ({ test, auth, ann, bearer } = ready);
  });

  const begin = async (token: string): Promise<string> => {
    const body = { factor_type: 'webauthn', friendly_name: `Key ${crypto.randomUUID()}` };
    return String((await auth('POST', '/factors', { bearer: token, body })).json['id']);
  };
  const challenge = (id: string, token: string) =>
    auth('POST', `/factors/${id}/challenge`, { bearer: token, body: {} });
  /** Responds to a challenge as a new key. */
  const verify = (id: string, token: string, { json }: Awaited<ReturnType<typeof challenge>>) => {
    const webauthn = json['webauthn'] as { credential_options: { publicKey: CreationOptions } };
    const credential_response = new SoftwareAuthenticator(siteUrl).create(
      webauthn.credential_options.publicKey,
    );
    const body = { challenge_id: json['id'], webauthn: { type: 'create', credential_response } };
    return auth('POST', `/factors/${id}/verify`, { bearer: token, body });
  };
  const secure = async (token: string): Promise<string> => {
    const { elevated } = await addSecondFactor(auth, token, clock.now);
    expect(elevated.status).toBe(200);
    return String(elevated.json['access_token']);
  };
  const insufficientAal = { status: 403, json: { code: 'insufficient_aal' } };

  it('is neither challenged nor verified at aal1 once another factor is verified', async () => {
    const elevated = await secure(bearer);
    const id = await begin(elevated);
    const challenged = await challenge(id, elevated);
    const attacker = (await test.signIn(ann)).access_token;
    const before = await test.fingerprint();
    expect(await challenge(id, attacker)).toMatchObject(insufficientAal);
    expect(await verify(id, attacker, challenged)).toMatchObject(insufficientAal);
    expect(await test.fingerprint()).toBe(before);
    const verified = await verify(id, elevated, challenged);
    expect(decodeClaims(verified.json)).toMatchObject({ aal: 'aal2' });
  });

  it('is deleted when the first factor of any kind is verified', async () => {
    const id = await begin(bearer);
    await challenge(id, bearer);
    await secure(bearer);
    const fresh = (await test.signIn(ann)).access_token;
    expect(await challenge(id, fresh)).toMatchObject({
      status: 404,
      json: { code: 'mfa_factor_not_found' },
    });
    expect(
      await test.database.query(sql`select status::text from auth.mfa_factors where user_id = ${ann.id}`),
    ).toEqual([{ status: 'verified' }]);
  });

  it('is verified once when two sessions with the password verify two factors concurrently', async () => {
    const other = (await test.signIn(ann)).access_token;
    const attempts = [];
    for (const token of [bearer, other]) {
      const id = await begin(token);
      attempts.push({ id, token, challenged: await challenge(id, token) });
    }
    const responses = await Promise.all(
      attempts.map(({ id, token, challenged }) => verify(id, token, challenged)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
    expect(
      await test.database.query(sql`select status::text from auth.mfa_factors where user_id = ${ann.id}`),
    ).toEqual([{ status: 'verified' }]);
  });

  it('is not replaced by a second key that is registered concurrently', async () => {
    const id = await begin(bearer);
    const challenges = [await challenge(id, bearer), await challenge(id, bearer)];
    const responses = await Promise.all(challenges.map((one) => verify(id, bearer, one)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it('expires after five minutes for challenge and verification', async () => {
    const id = await begin(bearer);
    clock.pass(200_000);
    const challenged = await challenge(id, bearer);
    clock.pass(101_000);
    const before = await test.fingerprint();
    const notFound = { status: 404, json: { code: 'mfa_factor_not_found' } };
    expect(await challenge(id, bearer)).toMatchObject(notFound);
    expect(await verify(id, bearer, challenged)).toMatchObject(notFound);
    expect(await test.fingerprint()).toBe(before);
  });
});
