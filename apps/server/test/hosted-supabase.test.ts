/** The files of hosted-supabase, tested with the APIs of the service in place of a hosted Supabase project. */
import fs from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { sendUserInvitation } from '../../../hosted-supabase/send-user-invitation.ts';
import { openService, type Service } from '../src/service.ts';
import { linksIn } from './support/email-links.ts';
import {
  eachEngine,
  siteUrl,
  startTestService,
  type TestService,
  type TestUser,
} from './support/test-service.ts';

const script = fs.readFileSync(new URL('../../../hosted-supabase/invitations.sql', import.meta.url), 'utf8');

eachEngine('a hosted project', (engine) => {
  let test: TestService;
  let project: Service;
  let admin: TestUser;
  let handler: (request: Request) => Promise<Response>;
  const fetchProject: typeof fetch = async (input, init) =>
    project.app.request(new Request(input, init), undefined, {
      incoming: { socket: { remoteAddress: '127.0.0.1' } },
    });
  beforeAll(async () => {
    test = await startTestService(engine);
    await test.database.maintenance((tx) => test.database.script(tx, script));
    // Opened after the file was applied, so that the schema cache contains the function.
    project = await openService({ config: test.config, log: test.service.log, database: test.database });
    admin = await test.createUser({ isAdministrator: true, email: 'admin@example.org' });
    handler = sendUserInvitation({
      url: siteUrl,
      anonKey: project.keys.anonKey,
      serviceRoleKey: project.keys.serviceRoleKey,
      siteUrl,
      fetch: fetchProject,
    });
  });
  afterAll(async () => {
    await project.close();
    await test.close();
  });

  const invite = async (token: string | null, body: unknown): Promise<{ status: number; body: unknown }> => {
    const response = await handler(
      new Request(`${siteUrl}/functions/v1/send-user-invitation`, {
        method: 'POST',
        headers: token === null ? {} : { Authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      }),
    );
    return { status: response.status, body: await response.json() };
  };
  /** Returns the links that were emailed to a user, after the outbox of the project is empty. */
  const linksTo = async (email: string): Promise<URL[]> => {
    await project.outbox.idle();
    return linksIn(await test.emails(), email);
  };
  const post = async (path: string, body: unknown, token?: string, method = 'POST'): Promise<Response> =>
    fetchProject(`${siteUrl}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        apikey: project.keys.anonKey,
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      },
      body: JSON.stringify(body),
    });

  it('rejects clients without a session or role and invalid bodies, and changes nothing', async () => {
    const plain = await test.signIn(await test.createUser());
    const invitee = { email: 'robin@example.org', full_name: 'Robin Hart' };
    const { access_token: token } = await test.signIn(admin);
    const before = await test.fingerprint();
    expect((await invite(null, invitee)).status).toBe(401);
    expect((await invite(project.keys.anonKey, invitee)).status).toBe(401);
    expect((await invite(plain.access_token, invitee)).status).toBe(403);
    expect(await invite(token, { ...invitee, email: 'a@b.co, c@d.co' })).toMatchObject({
      status: 400,
      body: { error: 'Invalid email address: enter one address only' },
    });
    expect(await invite(token, { ...invitee, email: admin.email })).toMatchObject({
      status: 409,
      body: { code: 'already_administrator' },
    });
    expect(await test.fingerprint()).toBe(before);
    expect(
      (await post('/rest/v1/rpc/record_invitation', { invited_email: 'x@example.org' }, token)).status,
    ).toBe(404);
  });

  it('invites; setting the password accepts the invitation and grants the role', async () => {
    const { access_token: token } = await test.signIn(admin);
    const response = await invite(token, { email: 'Robin@example.org', full_name: 'Robin Hart' });
    expect(response).toMatchObject({ status: 200, body: { success: true } });
    const [link] = await linksTo('robin@example.org');
    const verified = await post('/auth/v1/verify', {
      type: 'invite',
      token_hash: link?.searchParams.get('token_hash'),
    });
    const session = (await verified.json()) as { access_token: string };
    const set = await post('/auth/v1/user', { password: 'a fine password' }, session.access_token, 'PUT');
    expect(set.status).toBe(200);
    const rows = await test.database.query(
      sql`select i.status, r.role::text from private.invitations i join public.user_roles r on r.user_id = i.user_id
          where i.email = 'robin@example.org'`,
    );
    expect(rows).toEqual([{ status: 'accepted', role: 'platform_admin' }]);
  });

  it('invites an existing user with a recovery email', async () => {
    const user = await test.createUser({ email: 'known@example.org' });
    const { access_token: token } = await test.signIn(admin);
    const response = await invite(token, { email: user.email, full_name: 'Known Person' });
    expect(response).toMatchObject({ status: 200, body: { success: true } });
    expect(await linksTo(user.email)).toHaveLength(1);
  });
});
