import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { recordQueries } from '@lanternrock/auth/test-support/work-recorder';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

eachEngine('users without permission', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  beforeAll(async () => {
    test = await startTestService(engine);
    auth = createAuthRequester(test);
  });
  afterAll(() => test.close());

  const call = (path: string, bearer: string, body?: object) =>
    test.request(path, {
      method: body ? 'POST' : 'GET',
      headers: {
        apikey: test.anonKey,
        Authorization: `Bearer ${bearer}`,
        'Content-Type': 'application/json',
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const invite = (bearer: string, email: string) =>
    call('/functions/v1/send-user-invitation', bearer, { email, full_name: 'New Person' });

  it('learn nothing about an email address from /verify', { tags: ['AUTH-09'] }, async () => {
    const { email } = await test.createUser();
    for (const type of ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email']) {
      const responses: [status: number, text: string, work: string[]][] = [];
      for (const candidate of [email, 'unknown@example.org']) {
        const body = { type, email: candidate, token: '000000' };
        let response = { status: 0, text: '' };
        const work = await recordQueries(test.service, async () => {
          response = await auth('POST', '/verify', { body });
        });
        responses.push([response.status, response.text, work]);
      }
      expect(responses[0]?.slice(0, 2)).toEqual([403, expect.stringContaining('otp_expired')]);
      expect(responses[1]).toEqual(responses[0]);
    }
  });

  it('learn nothing about an email address from the invitation function', { tags: ['AUTH-09'] }, async () => {
    const ann = await test.createUser();
    const { access_token } = await test.signIn(await test.createUser());
    const before = await test.fingerprint();
    const responses = [];
    for (const email of [ann.email, 'unknown@example.org']) {
      const response = await invite(access_token, email);
      responses.push([response.status, await response.text()]);
    }
    expect(responses[0]?.[0]).toBe(403);
    expect(new Set(responses.map(String)).size).toBe(1);
    expect(await test.fingerprint()).toBe(before);
  });

  it(
    'lose the administrator role with the next request, without a new sign-in',
    { tags: ['AUTH-26'] },
    async () => {
      await test.createUser({ isAdministrator: true });
      const ann = await test.createUser({ isAdministrator: true });
      const { access_token } = await test.signIn(ann);
      const invitations = async (): Promise<unknown> =>
        (await call('/rest/v1/user_invitations?select=email', access_token)).json();
      expect((await invite(access_token, 'first@example.org')).status).toBe(200);
      expect(await invitations()).toEqual([{ email: 'first@example.org' }]);
      await test.database.query(sql`delete from public.user_roles where user_id = ${ann.id}`);
      await test.service.outbox.idle();
      const before = await test.fingerprint();
      expect(await invitations()).toEqual([]);
      expect((await invite(access_token, 'second@example.org')).status).toBe(403);
      expect(await test.fingerprint()).toBe(before);
    },
  );
});
