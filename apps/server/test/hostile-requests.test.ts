/** Requests that once broke something, each with "nothing changed" and with the next caller unharmed. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { readConfig } from '../src/config/settings.ts';
import { isMailboxEnabled } from '../src/http/local-access.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

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
    // Longer than this endpoint reads.
    ['/auth/v1/recover', 413],
  ])('JSON of 30000 levels is refused at %s, and the next request is answered', async (path, status) => {
    const before = await service.fingerprint();
    const deep = `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect((await send(path, deep, service.serviceRoleKey)).status).toBe(status);
    if (path.startsWith('/rest')) expect((await send(path, deep)).status).toBe(401);
    expect((await service.request('/ready')).status).toBe(200);
    expect(await service.fingerprint()).toBe(before);
  });

  it('AUTH-55 a hash that would hold up everybody’s sign-in is not imported', async () => {
    const before = await service.fingerprint();
    const body = { email: 'slow@example.org', password_hash: `$2a$31$${'x'.repeat(53)}` };
    const refused = await send('/auth/v1/admin/users', JSON.stringify(body), service.serviceRoleKey);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      {
        error_code: 'validation_failed',
        msg: 'password_hash is too costly to verify: bcrypt up to cost 14, argon2 up to m=131072, t=10, p=16',
      },
    ]);
    expect(await service.fingerprint()).toBe(before);
  });

  it('metadata cannot outgrow the token that carries it', async () => {
    const user = await service.createUser();
    const { access_token: token } = await service.signIn(user);
    const before = await service.fingerprint();
    const refused = await send(
      '/auth/v1/user',
      JSON.stringify({ data: { x: 'y'.repeat(20_000) } }),
      token,
      'PUT',
    );
    expect([refused.status, ((await refused.json()) as { error_code: string }).error_code]).toEqual([
      400,
      'validation_failed',
    ]);
    expect(await service.fingerprint()).toBe(before);
    expect((await send('/auth/v1/user', '{"data":{"x":"y"}}', token, 'PUT')).status).toBe(200);
  });

  it('AUTH-45 somebody with a second factor can accept an invitation', async () => {
    const user = await service.createUser();
    const { access_token: token } = await service.signIn(user);
    const enrolled = (await (
      await send('/auth/v1/factors', '{"factor_type":"totp","friendly_name":"phone"}', token)
    ).json()) as { id: string; totp: { secret: string } };
    const code = (ahead: number): string =>
      new TOTP({ secret: enrolled.totp.secret }).generate({ timestamp: Date.now() + ahead * 30_000 });
    /** @returns the raised session's token. */
    const pass = async (bearer: string, ahead: number): Promise<string> => {
      const path = `/auth/v1/factors/${enrolled.id}`;
      const challenge = (await (await send(`${path}/challenge`, '{}', bearer)).json()) as { id: string };
      const verified = await send(
        `${path}/verify`,
        JSON.stringify({ challenge_id: challenge.id, code: code(ahead) }),
        bearer,
      );
      expect(verified.status).toBe(200);
      return ((await verified.json()) as { access_token: string }).access_token;
    };
    await pass(token, 0);

    const { link } = await service.service.invitations.createLink({
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
    const raised = await pass(invited, 1);
    expect((await send('/auth/v1/user', password, raised, 'PUT')).status).toBe(200);
    const roles = await service.database.query(sql`select from public.user_roles where user_id = ${user.id}`);
    expect(roles).toHaveLength(1);
  });

  it('X14 the service key cannot shut an administrator out by another database role', async () => {
    const admin = await service.createUser({ platformAdmin: true });
    const before = await service.fingerprint();
    const path = `/auth/v1/admin/users/${admin.id}`;
    expect((await send(path, '{"role":"anon"}', service.serviceRoleKey, 'PUT')).status).toBe(422);
    expect(await service.fingerprint()).toBe(before);
  });
});

it('kept mails are shown only where people reach the instance at this machine', () => {
  expect(isMailboxEnabled(readConfig({}))).toBe(true);
  expect(isMailboxEnabled(readConfig({ SITE_URL: 'https://console.example.org' }))).toBe(false);
  expect(isMailboxEnabled(readConfig({ SMTP_URL: 'smtp://127.0.0.1' }))).toBe(false);
});
