import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import {
  fragment,
  signInBy,
  startProviders,
  type Providers,
} from '@lanternrock/auth/test-support/oauth-flows';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { asService } from '../src/administrators/email-action.ts';

const verifier = 'v'.repeat(64);
const challenge = createHash('sha256').update(verifier).digest('base64url');

eachEngine('an invitation that is accepted by a provider sign-in', (engine) => {
  let providers: Providers;
  let test: TestService;
  let auth: AuthRequester;
  beforeAll(async () => {
    providers = await startProviders();
    test = await startTestService(engine, { settings: { OAUTH_PROVIDERS_FILE: providers.file } });
    auth = createAuthRequester(test);
  });
  afterAll(async () => {
    await Promise.all([test.close(), providers.close()]);
  });
  const addUser = (email: string, verified = true): string => providers.addUser(email, verified);

  const invite = async (email: string): Promise<string> => {
    const { link } = await test.service.invitations.createLink({
      authorize: asService,
      email,
      fullName: 'Invited Person',
    });
    return new URL(link).searchParams.get('token_hash') ?? '';
  };
  const readUserData = async (email: string): Promise<unknown> =>
    test.database.query(sql`select u.email_confirmed_at, i.status,
        (select count(*)::int from auth.identities o where o.user_id = u.id) as identities,
        (select count(*)::int from auth.sessions s where s.user_id = u.id) as sessions,
        (select count(*)::int from public.user_roles r where r.user_id = u.id) as roles
      from auth.users u join private.invitations i on i.user_id = u.id where u.email = ${email}`);

  it.each(['fragment', 'code'])(
    'signs in the invited user to set a first password (%s)',
    async (responseKind) => {
      const email = `${randomUUID()}@example.org`;
      const invite_token = await invite(email);
      const pkce =
        responseKind === 'code' ? { code_challenge: challenge, code_challenge_method: 's256' } : {};
      const redirected = await signInBy(test, 'keycloak', {
        login_hint: addUser(email),
        invite_token,
        ...pkce,
      });
      const session =
        responseKind === 'fragment'
          ? fragment(redirected)
          : (
              await auth('POST', '/token?grant_type=pkce', {
                body: { auth_code: redirected.searchParams.get('code'), code_verifier: verifier },
              })
            ).json;
      const bearer = String(session['access_token']);
      expect((await auth('GET', '/user', { bearer })).json).toMatchObject({
        email,
        app_metadata: { setup_required: true, providers: ['email', 'keycloak'] },
      });
      expect(await readUserData(email)).toMatchObject([{ status: 'pending', roles: 0 }]);
      expect((await auth('PUT', '/user', { bearer, body: { password: 'a fine password' } })).status).toBe(
        200,
      );
      expect(await readUserData(email)).toMatchObject([{ status: 'accepted', roles: 1 }]);
    },
  );

  it('is rejected for another email address, an unverified one, or an invitation that has ended', async () => {
    const email = `${randomUUID()}@example.org`;
    const invite_token = await invite(email);
    const before = await readUserData(email);
    for (const id of [addUser(`other-${email}`), addUser(email, false)]) {
      expect(fragment(await signInBy(test, 'keycloak', { login_hint: id, invite_token }))).toMatchObject({
        error: 'invalid_request',
        error_code: 'validation_failed',
        error_description: 'Invited email does not match emails from external provider',
      });
    }
    expect(await readUserData(email)).toEqual(before);
    await test.database.query(sql`update private.invitations set status = 'revoked' where email = ${email}`);
    const start = `/authorize?${new URLSearchParams({ provider: 'keycloak', invite_token }).toString()}`;
    expect(await auth('GET', start)).toMatchObject({ status: 404, json: { code: 'user_not_found' } });
    expect(await auth('GET', '/authorize?provider=keycloak&invite_token=x')).toMatchObject({
      status: 404,
      json: { code: 'user_not_found' },
    });
  });
});
