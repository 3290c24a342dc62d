/** The complete flow of an invited administrator, with the published clients against the whole service. */
import { AuthClient } from '@supabase/auth-js';
import { FunctionsClient, FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { linksIn } from './support/email-links.ts';
import { eachEngine, siteUrl, startTestService, type TestService } from './support/test-service.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

eachEngine('an invited administrator', (engine) => {
  let service: TestService;
  let adminToken: string;
  beforeAll(async () => {
    service = await startTestService(engine);
    adminToken = (await service.signIn(await service.createUser({ isAdministrator: true }))).access_token;
  });
  afterAll(() => service.close());

  const functions = (token: string): FunctionsClient =>
    new FunctionsClient(`${siteUrl}/functions/v1`, {
      headers: { apikey: service.anonKey, Authorization: `Bearer ${token}` },
      customFetch: service.fetch,
    });
  const data = (token: string): PostgrestClient =>
    new PostgrestClient(`${siteUrl}/rest/v1`, {
      headers: { apikey: service.anonKey, Authorization: `Bearer ${token}` },
      fetch: service.fetch,
    });
  const auth = (): InstanceType<typeof AuthClient> =>
    new AuthClient({
      url: `${siteUrl}/auth/v1`,
      headers: { apikey: service.anonKey },
      fetch: service.fetch,
      autoRefreshToken: false,
      persistSession: false,
    });
  /** Reads the body of an error response, which the client leaves unread. */
  const readErrorBody = async ({ error }: { error: { context: Response } | null }): Promise<unknown> =>
    error?.context.json();
  const invite = (token = adminToken) => functions(token).invoke('send-user-invitation', { body: ann });

  it(
    'is invited, sets a password first, and then has the role',
    { tags: ['C003', 'C004', 'C256', 'C285'] },
    async () => {
      const sent = await invite();
      expect(sent.error).toBeNull();
      expect(sent.data).toMatchObject({ success: true, delivery: 'local' });

      const [link] = linksIn(await service.emails(), ann.email);
      expect(link?.pathname).toBe('/auth/callback');
      expect(link?.searchParams.get('setup')).toBe('true');
      const token_hash = link?.searchParams.get('token_hash') ?? '';
      // Link scanners and previews open links. This consumes nothing.
      await service.request(`/auth/callback?setup=true&token_hash=${token_hash}&type=invite`);

      const client = auth();
      const verified = await client.verifyOtp({ type: 'invite', token_hash });
      const token = verified.data.session?.access_token ?? '';
      expect(verified.error).toBeNull();
      for (const table of ['accounts', 'user_invitations', 'profiles', 'user_roles']) {
        const response = await data(token).from(table).select('*');
        expect([response.status, response.error?.code]).toEqual([403, 'password_not_set']);
      }
      const early = await invite(token);
      expect(early.error).toBeInstanceOf(FunctionsHttpError);
      expect(await readErrorBody(early)).toMatchObject({ code: 'password_not_set' });

      const updated = await client.updateUser({ password: 'a fine passphrase' });
      expect(updated.error).toBeNull();
      expect(updated.data.user?.app_metadata).not.toHaveProperty('setup_required');
      const roles = await data(token).from('user_roles').select('role');
      expect(roles.data).toEqual([{ role: 'platform_admin' }]);
      const list = await data(token)
        .from('user_invitations')
        .select('*')
        .order('invited_at', { ascending: false });
      expect(list.data).toEqual([
        {
          id: sent.data.invitation_id,
          ...ann,
          status: 'accepted',
          invited_at: expect.any(String),
          expires_at: expect.any(String),
          last_sent_at: expect.any(String),
          send_count: 1,
        },
      ]);
      const signedIn = await auth().signInWithPassword({ email: ann.email, password: 'a fine passphrase' });
      expect(signedIn.data.user?.email).toBe(ann.email);
      // The link is invalid now, and another invitation is rejected.
      expect((await auth().verifyOtp({ type: 'invite', token_hash })).error?.code).toBe('otp_expired');
      const again = await invite();
      expect(await readErrorBody(again)).toEqual({
        code: 'already_administrator',
        error: 'ann@example.org is already an administrator.',
      });
    },
  );

  it(
    'the published client distinguishes a rejected token from an error of the function',
    { tags: ['FN-01', 'X01'] },
    async () => {
      const plain = await service.createUser();
      const token = (await service.signIn(plain)).access_token;
      const before = await service.fingerprint();
      const rejected = await invite(token);
      expect(rejected.error).toBeInstanceOf(FunctionsHttpError);
      expect(await readErrorBody(rejected)).toEqual({
        code: 'not_platform_admin',
        error: 'This action requires an administrator.',
      });
      for (const key of [service.anonKey, service.serviceRoleKey]) {
        expect((await invite(key)).error).toBeInstanceOf(FunctionsHttpError);
      }
      expect((await invite(`${token.slice(0, -6)}AAAAAA`)).error).toBeInstanceOf(FunctionsRelayError);
      expect((await data(token).from('user_invitations').select('*')).data).toEqual([]);
      expect(await service.fingerprint()).toBe(before);
    },
  );

  it('ten concurrent acceptances of one invitation create one role and one password', async () => {
    const email = 'race@example.org';
    await functions(adminToken).invoke('send-user-invitation', { body: { email, full_name: 'Race Person' } });
    const [link] = linksIn(await service.emails(), email);
    const token_hash = link?.searchParams.get('token_hash') ?? '';
    const clients = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = auth();
        expect((await client.verifyOtp({ type: 'invite', token_hash })).error).toBeNull();
        return client;
      }),
    );
    const responses = await Promise.all(
      clients.map((client, index) => client.updateUser({ password: `passphrase no ${index}` })),
    );
    const winners = responses.flatMap((response, index) => (response.error ? [] : [index]));
    expect(winners).toHaveLength(1);
    const signIns = await Promise.all(
      clients.map((_client, index) =>
        auth().signInWithPassword({ email, password: `passphrase no ${index}` }),
      ),
    );
    expect(signIns.flatMap((response, index) => (response.error ? [] : [index]))).toEqual(winners);
    const rows = await service.database.query(
      sql`select r.role::text as role from public.user_roles r join auth.users u on u.id = r.user_id where u.email = ${email}`,
    );
    expect(rows).toEqual([{ role: 'platform_admin' }]);
  });

  it('a password reset resends the invitation to a user without a password', { tags: ['C002'] }, async () => {
    const email = 'forgot@example.org';
    await functions(adminToken).invoke('send-user-invitation', {
      body: { email, full_name: 'Forgot Person' },
    });
    const response = await auth().resetPasswordForEmail(email, { redirectTo: `${siteUrl}/auth/callback` });
    expect(response.error).toBeNull();
    const links = linksIn(await service.emails(), email);
    expect(links.map((link) => link.searchParams.get('type'))).toEqual(['invite', 'invite']);
    for (const link of links) {
      const token_hash = link.searchParams.get('token_hash') ?? '';
      expect((await auth().verifyOtp({ type: 'invite', token_hash })).error).toBeNull();
    }
  });

  it('a service with a mail server has no local mailbox', async () => {
    // The page exists and requires the link that is printed at startup.
    expect((await service.request('/mailbox')).status).toBe(403);
    const withServer = await startTestService(engine, { settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
    expect(await (await withServer.request('/mailbox')).text()).not.toContain('Captured emails');
    await withServer.close();
  });

  it('handles other methods and preflights of the console', { tags: ['FN-09'] }, async () => {
    expect((await service.request('/functions/v1/send-user-invitation')).status).toBe(405);
    expect((await service.request('/functions/v1/other', { method: 'POST' })).status).toBe(404);
    const preflight = await service.request('/functions/v1/send-user-invitation', {
      method: 'OPTIONS',
      headers: {
        Origin: siteUrl,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type,apikey',
      },
    });
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get('Access-Control-Allow-Headers')?.toLowerCase()).toContain('authorization');
  });
});
