/** What the product adds to the Auth API: its hooks, its emails, its audit log and the Data API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { recordQueries } from '@lanternrock/auth/test-support/work-recorder';
import { emailsTo } from './support/email-links.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';
import { asService } from '../src/administrators/email-action.ts';

eachEngine('the Auth API with the product', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  beforeAll(async () => {
    test = await startTestService(engine, { settings: { SESSION_SINGLE: 'on' } });
    auth = createAuthRequester(test);
  });
  afterAll(() => test.close());

  it(
    'runs the same statements for a recovery of known, unknown, banned and invited addresses',
    { tags: ['AUTH-06'] },
    async () => {
      const record = (email: string) =>
        recordQueries(test.service, () => auth('POST', '/recover', { body: { email } }));
      const work = await record((await test.createUser()).email);
      expect(work).toContain('commit');
      expect(await record(`${randomUUID()}@example.org`)).toEqual(work);
      const banned = await test.createUser();
      await test.database.query(sql`update auth.users set banned_until = 'infinity' where id = ${banned.id}`);
      expect(await record(banned.email)).toEqual(work);
      const invited = `${randomUUID()}@example.org`;
      await test.service.invitations.createLink({
        authorize: asService,
        email: invited,
        fullName: 'Guest Person',
      });
      expect(await record(invited)).toEqual(work);
      const [email] = await emailsTo(test, invited);
      expect([email?.subject, email?.text]).toEqual([
        'You have been invited to Lanternrock',
        expect.stringContaining('Hello Guest Person,'),
      ]);
    },
  );

  it(
    'runs the same statements for a magic link of known and unknown addresses',
    { tags: ['AUTH-06'] },
    async () => {
      const record = (email: string) =>
        recordQueries(test.service, () => auth('POST', '/otp', { body: { email } }));
      const work = await record((await test.createUser()).email);
      expect(await record(`${randomUUID()}@example.org`)).toEqual(work);
    },
  );

  it('updates the displayed name from the metadata if it is valid in an invitation', async () => {
    const ann = await test.createUser();
    const { access_token: bearer } = await test.signIn(ann);
    const seen = async (fullName: unknown): Promise<unknown> => {
      const response = await auth('PUT', '/user', { bearer, body: { data: { full_name: fullName } } });
      expect(response.status).toBe(200);
      const [row] = await test.database.query(
        sql`select p.full_name as seen, u.raw_user_meta_data -> 'full_name' as kept
            from public.profiles p join auth.users u on u.id = p.id where p.id = ${ann.id}`,
      );
      return row;
    };
    expect(await seen('  Ann Two ')).toEqual({ seen: 'Ann Two', kept: '  Ann Two ' });
    for (const invalidName of [
      'A',
      'x'.repeat(101),
      'Ann\u202eeerT',
      'www.example.org/ann',
      7,
      ['Ann'],
      '',
    ]) {
      expect(await seen(invalidName)).toEqual({ seen: 'Ann Two', kept: invalidName });
    }
    // The audit log contains the actor and the request of each change. Rejected ones changed nothing.
    const changes = await test.database.query(
      sql`select actor, request_id, after ->> 'full_name' as name from private.audit_log
          where table_name = 'public.profiles' and row_id = ${ann.id} and action = 'UPDATE'`,
    );
    expect(changes).toEqual([
      { actor: ann.id, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: 'Ann Two' },
    ]);
  });

  it('converts an email address to the same one at every API', async () => {
    const stored = 'max@xn--maanfertigung-cdb.example';
    const spellings = [
      'max@maßanfertigung.example',
      ' MAX@MAẞANFERTIGUNG.EXAMPLE',
      '\u202amax@maßanfertigung.example\u202c',
      'max@maßan\u200bfertigung.example',
      stored,
    ];
    const service = { apikey: test.serviceRoleKey, Authorization: `Bearer ${test.serviceRoleKey}` };
    const [first = '', ...others] = spellings;
    const create = (email: string) =>
      auth('POST', '/admin/users', {
        headers: service,
        body: { email, password: 'correct horse battery', email_confirm: true },
      });
    expect((await create(first)).json).toMatchObject({ email: stored });
    for (const email of others) expect((await create(email)).json).toMatchObject({ code: 'email_exists' });
    for (const email of spellings) {
      const signedIn = await auth('POST', '/token?grant_type=password', {
        body: { email, password: 'correct horse battery' },
      });
      expect(signedIn.json).toMatchObject({ user: { email: stored } });
    }
    await auth('POST', '/recover', { body: { email: first } });
    expect(await emailsTo(test, stored)).toHaveLength(1);

    const administrator = await test.signIn(await test.createUser({ isAdministrator: true }));
    const { access_token: bearer } = administrator;
    await auth('PUT', '/user', { bearer, body: { email: 'new@mu\u0308nchen.example' } });
    expect(await emailsTo(test, 'new@xn--mnchen-3ya.example')).toHaveLength(1);
    const invite = await test.request('/functions/v1/send-user-invitation', {
      method: 'POST',
      headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'bo@STRAẞE.example\u200e', full_name: 'Bo Ek' }),
    });
    expect(await invite.json()).toMatchObject({ success: true });
    expect(await emailsTo(test, 'bo@xn--strae-oqa.example')).toHaveLength(1);

    const save = async (body: string, type: string, method = 'PATCH') => {
      const path = `/rest/v1/notification_settings${method === 'PATCH' ? '?id=not.is.null' : ''}`;
      const headers = { ...service, 'Content-Type': type, Prefer: 'return=representation' };
      const response = await test.request(path, { method, headers, body });
      const rows = (await response.json()) as { sender_email?: string }[];
      return [response.status, Array.isArray(rows) ? rows.map((row) => row.sender_email) : []];
    };
    const sender = { sender_email: first, sender_name: 'Harbor' };
    expect(await save(JSON.stringify(sender), 'application/json', 'POST')).toEqual([201, [stored]]);
    for (const email of spellings)
      expect(await save(JSON.stringify({ sender_email: email }), 'application/json')).toEqual([
        200,
        [stored],
      ]);
    const form = new URLSearchParams({ sender_email: 'a@straße.example' }).toString();
    expect(await save(form, 'application/x-www-form-urlencoded')).toEqual([200, ['a@xn--strae-oqa.example']]);
    const before = await test.fingerprint();
    for (const email of ['mailto:a@b.co', 'Ann <a@b.co>', 'a b@x.co', 'a@b\u202e.co'])
      expect((await save(JSON.stringify({ sender_email: email }), 'application/json'))[0], email).toBe(400);
    // Where the service does not convert, the table rejects: large bodies, CSV, and characters that are not converted.
    const international = 'a@ma\u00dfanfertigung.example';
    for (const [body, type] of [
      [JSON.stringify({ sender_email: international }) + ' '.repeat(16_384), 'application/json'],
      [`sender_email\r\n${international}`, 'text/csv'],
      ['sender_email\r\na@mu\u0308nchen.example', 'text/csv'],
      [JSON.stringify({ sender_email: 'a@exam\u212ale.example' }), 'application/json'],
      [JSON.stringify({ sender_email: 'a@\uff45xample.example' }), 'application/json'],
      [JSON.stringify({ sender_email: 'a..b@example.org' }), 'application/json'],
    ] as const)
      expect((await save(body, type))[0], body.trim()).toBe(400);
    expect(await test.fingerprint()).toBe(before);
  });

  it('SESSION_SINGLE: rejects an older session at the Data API immediately after a new sign-in', async () => {
    const ann = await test.createUser();
    const older = await test.signIn(ann);
    await test.signIn(ann);
    const response = await test.request('/rest/v1/accounts', {
      headers: { apikey: test.anonKey, Authorization: `Bearer ${older.access_token}` },
    });
    expect(response.status).toBe(401);
  });
});
