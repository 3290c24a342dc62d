import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { authClient } from '@lanternrock/auth/test-support/auth-client';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from './support/test-service.ts';
import { SoftwareAuthenticator } from '@lanternrock/auth/test-support/software-authenticator';

eachEngine('the published client for factors and passkeys', (engine) => {
  let test: TestService;
  let ann: TestUser;
  let clock = Date.now();
  beforeAll(async () => {
    test = await startTestService(engine, { now: () => new Date(clock) });
  });
  beforeEach(async () => {
    clock += 90_000;
    ann = await test.createUser();
  });
  afterAll(() => test.close());

  const signedIn = async () => {
    const client = authClient(test);
    expect((await client.signInWithPassword(ann)).error).toBeNull();
    return client;
  };
  const enrolled = async (client: Awaited<ReturnType<typeof signedIn>>) => {
    const { data, error } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
    if (error) throw error;
    const totp = new TOTP({ secret: Secret.fromBase32(data.totp.secret) });
    return { factorId: data.id, code: () => totp.generate({ timestamp: clock }) };
  };

  it('mfa: supports enroll, challenge, verify, listFactors, the assurance level and unenroll', async () => {
    const client = await signedIn();
    const { factorId, code } = await enrolled(client);
    const { data } = await client.mfa.challenge({ factorId });
    const challengeId = data?.id ?? '';
    const right = code();
    const wrong = right === '111111' ? '222222' : '111111';
    expect((await client.mfa.verify({ factorId, challengeId, code: wrong })).error).toMatchObject({
      status: 422,
      code: 'mfa_verification_failed',
    });
    expect((await client.mfa.verify({ factorId, challengeId, code: right })).error).toBeNull();
    expect((await client.mfa.listFactors()).data?.totp).toMatchObject([{ id: factorId, status: 'verified' }]);
    const level = await client.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    expect((await client.mfa.listFactors()).data?.all).toEqual([]);
  });

  it('mfa: supports challengeAndVerify and every call for recovery codes', async () => {
    const client = await signedIn();
    const { factorId, code } = await enrolled(client);
    expect((await client.mfa.recoveryCodes.generate()).error).toMatchObject({ status: 403 });
    expect((await client.mfa.challengeAndVerify({ factorId, code: code() })).error).toBeNull();
    const generated = await client.mfa.recoveryCodes.generate({ friendlyName: 'Paper' });
    const codes = generated.data?.codes ?? [];
    expect(codes).toHaveLength(10);
    const fresh = await signedIn();
    expect((await fresh.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toBeNull();
    expect((await fresh.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });
    const next = await fresh.mfa.recoveryCodes.regenerate();
    expect(next.data?.codes).not.toEqual(codes);
    expect((await fresh.mfa.recoveryCodes.unenroll()).error).toBeNull();
    const before = await test.fingerprint();
    expect((await fresh.mfa.recoveryCodes.getStatus()).data).toEqual({
      id: null,
      type: 'recovery_code',
      total: 0,
      remaining: 0,
    });
    const { recoveryCodes } = fresh.mfa;
    for (const { error } of [
      await recoveryCodes.verify({ code: codes[1] ?? '' }),
      await recoveryCodes.regenerate(),
      await recoveryCodes.unenroll(),
    ]) {
      expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
    }
    expect(await test.fingerprint()).toBe(before);
  });

  it('passkey: supports registration, authentication, list, update and delete', async () => {
    const client = await signedIn();
    const key = new SoftwareAuthenticator(siteUrl);
    const registration = await client.passkey.startRegistration();
    if (registration.error) throw registration.error;
    const { challenge_id: challengeId, options } = registration.data;
    const credential = key.create(options) as unknown as Parameters<
      typeof client.passkey.verifyRegistration
    >[0]['credential'];
    const generated = await client.passkey.verifyRegistration({ challengeId, credential });
    expect(generated.error).toBeNull();
    const passkeyId = generated.data?.id ?? '';
    const again = await client.passkey.verifyRegistration({ challengeId, credential });
    expect(again.error).toMatchObject({ status: 400, code: 'webauthn_challenge_not_found' });

    const anonymousClient = authClient(test);
    const authentication = await anonymousClient.passkey.startAuthentication();
    if (authentication.error) throw authentication.error;
    const assertion = key.get(authentication.data.options) as unknown as Parameters<
      typeof client.passkey.verifyAuthentication
    >[0]['credential'];
    const signIn = await anonymousClient.passkey.verifyAuthentication({
      challengeId: authentication.data.challenge_id,
      credential: assertion,
    });
    expect(signIn.data?.user?.id).toBe(ann.id);

    expect((await client.passkey.update({ passkeyId, friendlyName: 'Key' })).error).toBeNull();
    expect((await client.passkey.list()).data).toMatchObject([{ id: passkeyId, friendly_name: 'Key' }]);
    expect((await client.passkey.delete({ passkeyId })).error).toBeNull();
    expect((await client.passkey.list()).data).toEqual([]);
  });
});
