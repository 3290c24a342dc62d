/** Regression tests for hostile requests: each is rejected, changes no data and does not affect other clients. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { readConfig } from '../src/config/settings.ts';
import { isMailboxEnabled } from '../src/http/local-access.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { asService } from '../src/administrators/email-action.ts';

eachEngine('hostile requests', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(async () => service.close());

  const send = async (path: string, body: string, token?: string, method = 'POST'): Promise<Response> =>
    service.request(path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        apikey: service.anonKey,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body,
    });

  it.each([
    ['/rest/v1/accounts', 400],
    ['/rest/v1/accounts?columns=name', 400],
    ['/rest/v1/rpc/nothing', 404],
    // Longer than the body limit of this endpoint.
    ['/auth/v1/recover', 413],
  ])('rejects JSON with 30000 levels at %s and stays ready', async (path, status) => {
    const before = await service.fingerprint();
    const deep = `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect((await send(path, deep, service.serviceRoleKey)).status).toBe(status);
    if (path.startsWith('/rest')) expect((await send(path, deep)).status).toBe(401);
    expect((await service.request('/ready')).status).toBe(200);
    expect(await service.fingerprint()).toBe(before);
  });

  it(
    'rejects the import of a password hash that is too expensive to verify',
    { tags: ['AUTH-55'] },
    async () => {
      const before = await service.fingerprint();
      const body = { email: 'slow@example.org', password_hash: `$2a$31$${'x'.repeat(53)}` };
      const response = await send('/auth/v1/admin/users', JSON.stringify(body), service.serviceRoleKey);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        {
          error_code: 'validation_failed',
          msg: 'password_hash is too costly to verify: bcrypt up to cost 14, argon2 up to m=131072, t=10, p=16',
        },
      ]);
      expect(await service.fingerprint()).toBe(before);
    },
  );

  it('serves others while a user sends many costly reads', { timeout: 60_000 }, async () => {
    const [hostile, other] = await Promise.all(
      ['hostile', 'other'].map(async () => service.signIn(await service.createUser())),
    );
    const read = async (path: string, token: string | undefined): Promise<number> => {
      const headers = { apikey: service.anonKey, Authorization: `Bearer ${token}` };
      return (await service.request(path, { headers })).status;
    };
    const statuses: number[] = [];
    // Each has other names, so the database plans each of them.
    const costly = Array.from({ length: 160 }, async (_, request) => {
      const columns = Array.from({ length: 300 }, (__, index) => `a${request}_${index}:id`).join();
      statuses.push(await read(`/rest/v1/user_roles?select=${columns}`, hostile?.access_token));
    });
    await expect.poll(() => statuses.length, { interval: 1 }).toBeGreaterThan(4);
    expect(await read('/rest/v1/user_roles?select=id', other?.access_token)).toBe(200);
    const isEarlier = statuses.length < costly.length;
    await Promise.all(costly);
    expect(isEarlier).toBe(true);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(await read('/rest/v1/user_roles?select=id', hostile?.access_token)).toBe(200);
  });

  it('rejects user metadata that is too large for an access token', async () => {
    const user = await service.createUser();
    const { access_token: token } = await service.signIn(user);
    const before = await service.fingerprint();
    const response = await send(
      '/auth/v1/user',
      JSON.stringify({ data: { x: 'y'.repeat(12_000) } }),
      token,
      'PUT',
    );
    expect([response.status, ((await response.json()) as { error_code: string }).error_code]).toEqual([
      400,
      'validation_failed',
    ]);
    expect(await service.fingerprint()).toBe(before);
    expect((await send('/auth/v1/user', '{"data":{"x":"y"}}', token, 'PUT')).status).toBe(200);
  });

  it('lets a user with a second factor accept an invitation', { tags: ['AUTH-45'] }, async () => {
    const user = await service.createUser();
    const { access_token: token } = await service.signIn(user);
    const enrolled = (await (
      await send('/auth/v1/factors', '{"factor_type":"totp","friendly_name":"phone"}', token)
    ).json()) as { id: string; totp: { secret: string } };
    const code = (periods: number): string =>
      new TOTP({ secret: enrolled.totp.secret }).generate({ timestamp: Date.now() + periods * 30_000 });
    /** @returns the access token of the elevated session */
    const verifyFactor = async (bearer: string, periods: number): Promise<string> => {
      const path = `/auth/v1/factors/${enrolled.id}`;
      const challenge = (await (await send(`${path}/challenge`, '{}', bearer)).json()) as { id: string };
      const verified = await send(
        `${path}/verify`,
        JSON.stringify({ challenge_id: challenge.id, code: code(periods) }),
        bearer,
      );
      expect(verified.status).toBe(200);
      return ((await verified.json()) as { access_token: string }).access_token;
    };
    await verifyFactor(token, 0);

    const { link } = await service.service.invitations.createLink({
      authorize: asService,
      email: user.email,
      fullName: 'Test Person',
    });
    const opened = await send(
      '/auth/v1/verify',
      JSON.stringify({ type: 'invite', token_hash: new URL(link).searchParams.get('token_hash') }),
    );
    const { access_token: invited } = (await opened.json()) as { access_token: string };
    const password = '{"password":"another lantern 8"}';
    expect((await send('/auth/v1/user', password, invited, 'PUT')).status).toBe(401);
    const elevatedToken = await verifyFactor(invited, 1);
    expect((await send('/auth/v1/user', password, elevatedToken, 'PUT')).status).toBe(200);
    const roles = await service.database.query(sql`select from public.user_roles where user_id = ${user.id}`);
    expect(roles).toHaveLength(1);
  });

  it(
    'rejects a change of the database role of an administrator with the secret key',
    { tags: ['X14'] },
    async () => {
      const admin = await service.createUser({ isAdministrator: true });
      const before = await service.fingerprint();
      const path = `/auth/v1/admin/users/${admin.id}`;
      expect((await send(path, '{"role":"anon"}', service.serviceRoleKey, 'PUT')).status).toBe(422);
      expect(await service.fingerprint()).toBe(before);
    },
  );
});

it('enables the local mailbox only with a loopback SITE_URL and without SMTP_URL', () => {
  expect(isMailboxEnabled(readConfig({}))).toBe(true);
  expect(isMailboxEnabled(readConfig({ SITE_URL: 'https://console.example.org' }))).toBe(false);
  expect(isMailboxEnabled(readConfig({ SMTP_URL: 'smtp://127.0.0.1' }))).toBe(false);
});
