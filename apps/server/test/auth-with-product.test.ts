/** What the product adds to the Auth API: its hooks, its emails, its audit log and the Data API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import { recordQueries } from '@lanternrock/auth/test-support/work-recorder';
import { emailsTo } from './support/email-links.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

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
      await test.service.invitations.createLink({ email: invited, fullName: 'Guest Person' });
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
