import type { GoTrueClient } from '@supabase/auth-js';
import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { decodeClaims, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { authClient } from '@lanternrock/auth/test-support/auth-client';
import { linksIn } from './support/email-links.ts';
import { addSecondFactor } from '@lanternrock/auth/test-support/second-factor';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';
import { newTimeStep, setUpSignedInUser } from '@lanternrock/auth/test-support/signed-in-user';
import { asService } from '../src/administrators/email-action.ts';

eachEngine('an email link for a user with a second factor', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let ann: TestUser;
  let bearer: string;
  let factor: Awaited<ReturnType<typeof addSecondFactor>>;
  let codes: string[];
  const clock = setUpSignedInUser(
    (now) => startTestService(engine, { now }),
    (ready) => {
      ({ test, auth, ann } = ready);
      bearer = ready.session.access_token;
    },
  );
  beforeEach(async () => {
    factor = await addSecondFactor(auth, bearer, clock.now);
    const elevated = String(factor.elevated.json['access_token']);
    codes = (await auth('POST', '/factors/recovery-codes', { bearer: elevated })).json['codes'] as string[];
    clock.pass(newTimeStep);
  });

  const tokenFor = {
    recovery: async (): Promise<string> => {
      await auth('POST', '/recover', { body: { email: ann.email } });
      return (
        linksIn(await test.emails(), ann.email)
          .at(-1)
          ?.searchParams.get('token_hash') ?? ''
      );
    },
    invite: async (): Promise<string> => {
      const { link } = await test.service.invitations.createLink({
        authorize: asService,
        email: ann.email,
        fullName: 'Ann',
      });
      return new URL(link).searchParams.get('token_hash') ?? '';
    },
  };

  describe.each(['recovery', 'invite'] as const)('with a link of type %s', (type) => {
    const open = async (): Promise<GoTrueClient> => {
      const opened = authClient(test);
      const { data, error } = await opened.verifyOtp({ type, token_hash: await tokenFor[type]() });
      expect(error).toBeNull();
      expect(data.user?.factors).toHaveLength(1);
      expect((await opened.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
        currentLevel: 'aal1',
        nextLevel: 'aal2',
      });
      return opened;
    };
    const roles = async (): Promise<number> =>
      (await test.database.query(sql`select from public.user_roles where user_id = ${ann.id}`)).length;

    it(
      'rejects a password or a name before the code and changes nothing',
      { tags: ['AUTH-45'] },
      async () => {
        const opened = await open();
        const before = await test.fingerprint();
        for (const change of [{ password: 'a better password' }, { data: { full_name: 'Another Name' } }]) {
          const { error } = await opened.updateUser(change);
          expect(error).toMatchObject({ status: 401, code: 'insufficient_aal' });
        }
        expect(await test.fingerprint()).toBe(before);
      },
    );

    it('rejects a wrong code, then accepts the right code and the password', async () => {
      const opened = await open();
      const factorId = factor.id;
      const code = factor.code();
      const wrong = code === '111111' ? '222222' : '111111';
      expect((await opened.mfa.challengeAndVerify({ factorId, code: wrong })).error).toMatchObject({
        code: 'mfa_verification_failed',
      });
      expect((await opened.updateUser({ password: 'a better password' })).error).toMatchObject({
        code: 'insufficient_aal',
      });
      expect((await opened.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
      expect((await opened.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
      expect(await roles()).toBe(0);
      // A rejected password does not require a second code.
      expect((await opened.updateUser({ password: 'short' })).error).toMatchObject({ code: 'weak_password' });
      expect((await opened.updateUser({ password: 'a better password' })).error).toBeNull();
      expect(await roles()).toBe(type === 'invite' ? 1 : 0);
      const refreshed = await opened.refreshSession();
      expect(decodeClaims({ ...refreshed.data.session })).toMatchObject({ aal: 'aal2' });
      expect(refreshed.data.user?.app_metadata).not.toHaveProperty('setup_required');
      await expect(test.signIn(ann)).rejects.toThrow('invalid_credentials');
      await test.signIn({ ...ann, password: 'a better password' });
    });

    it('accepts a recovery code in place of the factor', async () => {
      const opened = await open();
      expect((await opened.mfa.recoveryCodes.getStatus()).data).toMatchObject({ remaining: 10 });
      expect((await opened.mfa.recoveryCodes.verify({ code: codes[0] ?? '' })).error).toBeNull();
      expect((await opened.updateUser({ password: 'a better password' })).error).toBeNull();
      expect(await roles()).toBe(type === 'invite' ? 1 : 0);
    });

    it('does not add or remove factors with only the link', async () => {
      const opened = await open();
      const before = await test.fingerprint();
      expect((await opened.mfa.unenroll({ factorId: factor.id })).error).toMatchObject({
        status: type === 'invite' ? 403 : 422,
      });
      expect((await opened.mfa.enroll({ factorType: 'totp' })).error).toMatchObject({ status: 403 });
      expect((await opened.mfa.recoveryCodes.regenerate()).error).toMatchObject({ status: 403 });
      expect(await test.fingerprint()).toBe(before);
    });
  });
});
