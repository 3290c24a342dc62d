/** The happy path through the HTTP APIs, on every kind of database and login. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { startTestService, type TestService } from './support/test-service.ts';

const secret = 'lantern on the pier 7';

describe.each(['embedded', 'postgres', 'postgres as superuser'] as const)('the happy path (%s)', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(async () => service.close());

  const call = async (path: string, method: string, body: unknown, token?: string): Promise<Response> =>
    service.request(path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        apikey: service.anonKey,
        Prefer: 'return=representation',
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });

  /**
   * Opens a link and sets the password.
   * @returns the access token
   */
  const accept = async (link: string): Promise<string> => {
    const query = new URL(link).searchParams;
    const verified = await call('/auth/v1/verify', 'POST', {
      type: query.get('type'),
      token_hash: query.get('token_hash'),
    });
    expect(verified.status).toBe(200);
    const { access_token: token } = (await verified.json()) as { access_token: string };
    const blocked = await service.request('/rest/v1/accounts', {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([blocked.status, ((await blocked.json()) as { code: string }).code]).toEqual([
      403,
      'password_not_set',
    ]);
    expect((await call('/auth/v1/user', 'PUT', { password: secret }, token)).status).toBe(200);
    return token;
  };

  it(
    'completes every step from the first link to the second administrator',
    { tags: ['C001', 'C004', 'C005', 'C006'] },
    async () => {
      const first = await service.service.invitations.firstAdministratorLink();
      const token = await accept(first?.link ?? '');
      expect(await service.service.invitations.firstAdministratorLink()).toBeNull();

      const [user] = await service.database.query<{ id: string }>(sql`select id from auth.users`);
      const created = await call(
        '/rest/v1/accounts?select=*',
        'POST',
        {
          name: 'Vail Ski Patrol',
          slug: 'vail-ski-patrol',
          account_type: 'organization',
          address: null,
          city: 'Vail',
          state: 'CO',
          zip_code: null,
          status: 'active',
          created_by: user?.id,
        },
        token,
      );
      expect(created.status).toBe(201);

      const invited = await call(
        '/functions/v1/send-user-invitation',
        'POST',
        { email: 'Robin@Example.org', full_name: 'Robin Hart' },
        token,
      );
      expect([invited.status, await invited.json()]).toMatchObject([200, { success: true }]);
      const email = (await service.emails()).find(
        (candidate) => candidate.to?.[0]?.address === 'robin@example.org',
      );
      const robin = await accept(/https?:\/\/\S+/.exec(email?.text ?? '')?.[0] ?? '');
      const accounts = await service.request('/rest/v1/accounts?select=name', {
        headers: { Authorization: `Bearer ${robin}` },
      });
      expect(await accounts.json()).toEqual([{ name: 'Vail Ski Patrol' }]);
      const invitations = await service.request('/rest/v1/user_invitations?select=email,status&order=email', {
        headers: { Authorization: `Bearer ${robin}` },
      });
      expect(await invitations.json()).toEqual([
        { email: 'admin@example.com', status: 'accepted' },
        { email: 'robin@example.org', status: 'accepted' },
      ]);
    },
  );
});
