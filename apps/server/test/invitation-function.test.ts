/** Function `send-user-invitation`: permissions, input and responses. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const link = /https:\/\/console\.example\.org\/auth\/callback\?setup=true&token_hash=[\w-]{43}&type=invite/g;

eachEngine('send-user-invitation', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const invitation = async (): Promise<Record<string, unknown>[]> =>
    fixture.database.query(sql`select * from public.user_invitations order by invited_at desc`);

  it(
    'invites: one user without password, one pending record, one email with one link',
    { tags: ['C003', 'C006'] },
    async () => {
      const response = await fixture.call(ann, fixture.admin);
      expect(response.status).toBe(200);
      const body = (await response.json()) as Record<string, unknown>;
      const rows = await invitation();
      expect(body).toEqual({
        success: true,
        invitation_id: rows[0]?.['id'],
        expires_at: (rows[0]?.['expires_at'] as Date | undefined)?.toISOString(),
      });
      expect(rows).toEqual([expect.objectContaining({ ...ann, status: 'pending', send_count: 1 })]);
      const users = await fixture.database.query(
        sql`select encrypted_password, email_confirmed_at, raw_app_meta_data, p.full_name, i.provider_id = u.id::text as identity
          from auth.users u join public.profiles p on p.id = u.id join auth.identities i on i.user_id = u.id
          where u.email = ${ann.email}`,
      );
      expect(users).toEqual([
        {
          encrypted_password: null,
          email_confirmed_at: null,
          raw_app_meta_data: { provider: 'email', providers: ['email'], setup_required: true },
          full_name: 'Ann Lee',
          identity: true,
        },
      ]);
      expect(fixture.mailServer.messages).toHaveLength(1);
      const [message] = fixture.mailServer.messages;
      expect(message?.to).toEqual([ann.email]);
      const email = await PostalMime.parse(message?.raw ?? '');
      expect(email.to).toEqual([{ address: ann.email, name: '' }]);
      expect(email.text?.match(link)).toHaveLength(1);
      expect(email.html?.match(/href="/g)).toHaveLength(1);
      const [audit] = await fixture.database.query(
        sql`select actor, request_id from private.audit_log where table_name = 'private.invitations' and action = 'INSERT'
          order by id desc limit 1`,
      );
      expect(audit).toEqual({ actor: fixture.admin, request_id: 'test-request' });
    },
  );

  it(
    'sends to an international domain in its ASCII form and treats both forms as one address',
    { tags: ['FN-04'] },
    async () => {
      const international = { ...ann, email: 'Ann@München.example' };
      expect(await (await fixture.call(international, fixture.admin)).json()).toMatchObject({
        success: true,
      });
      // The mail server of the test decodes the envelope. The message is unchanged.
      expect(fixture.mailServer.messages.map(({ to }) => to)).toEqual([['ann@münchen.example']]);
      expect(fixture.mailServer.messages[0]?.raw).toMatch(/^To: ann@xn--mnchen-3ya\.example\r$/m);
      await fixture.call({ ...ann, email: 'ann@xn--mnchen-3ya.example' }, fixture.admin);
      expect((await invitation()).map(({ email, send_count: count }) => [email, count])).toEqual([
        ['ann@xn--mnchen-3ya.example', 2],
      ]);
    },
  );

  it('takes the TTL of an invitation from INVITATION_TTL', { tags: ['C302'] }, async () => {
    await fixture.call(ann, fixture.admin);
    const [row] = await fixture.database.query<{ seconds: string }>(
      sql`select extract(epoch from expires_at - invited_at)::text as seconds from private.invitations`,
    );
    expect(Number(row?.seconds)).toBe(604_800);
  });

  it(
    'rejects clients without a session or role and changes nothing',
    { tags: ['FN-01', 'X01'] },
    async () => {
      const member = await fixture.createUser({ email: 'member@example.org' });
      const ended = await fixture.createUser({ email: 'ended@example.org', administrator: true });
      await fixture.database.query(sql`delete from auth.sessions where user_id = ${ended}`);
      const banned = await fixture.createUser({ email: 'banned@example.org', administrator: true });
      await fixture.database.query(
        sql`update auth.users set banned_until = now() + interval '1 day' where id = ${banned}`,
      );
      const unset = await fixture.createUser({ email: 'unset@example.org', administrator: true });
      await fixture.database.query(
        sql`update auth.users set raw_app_meta_data = '{"setup_required": true}' where id = ${unset}`,
      );
      const before = await invitationTables(fixture.database);
      const errors: [string | undefined, number, string, string | null][] = [
        [undefined, 401, 'not_authenticated', null],
        ['forged', 401, 'not_authenticated', 'true'],
        [member, 403, 'not_platform_admin', null],
        [ended, 401, 'session_not_found', null],
        [banned, 403, 'user_banned', null],
        [unset, 403, 'password_not_set', null],
      ];
      for (const [token, status, code, relay] of errors) {
        const response = await fixture.call(ann, token);
        expect([response.status, response.headers.get('x-relay-error')]).toEqual([status, relay]);
        expect(await response.json()).toEqual({ code, error: expect.stringMatching(/^[A-Z].+\.$/) });
      }
      expect(await invitationTables(fixture.database)).toBe(before);
      expect(fixture.mailServer.messages).toHaveLength(0);
    },
  );

  it('reads only the name and email address of the body', { tags: ['FN-02'] }, async () => {
    const response = await fixture.call(
      {
        ...ann,
        role: 'x',
        user_id: fixture.admin,
        redirect_to: 'https://evil.example',
        app_metadata: {},
        status: 'accepted',
        expires_at: '2099-01-01',
        invited_by: null,
      },
      fixture.admin,
    );
    expect(response.status).toBe(200);
    const [row] = await fixture.database.query(
      sql`select status, invited_by, user_id <> ${fixture.admin} as own, expires_at < now() + interval '8 days' as soon from private.invitations`,
    );
    expect(row).toEqual({ status: 'pending', invited_by: fixture.admin, own: true, soon: true });
    expect(fixture.mailServer.messages[0]?.raw).not.toContain('evil');
  });

  for (const [tags, name, body, message] of [
    [['FN-03'], 'line break in the name', { ...ann, full_name: 'Ann\r\nBcc: e@x.co' }, /^Full name/],
    [['FN-03'], 'line separator', { ...ann, full_name: 'Ann\u2028Lee' }, /^Full name/],
    [['FN-03'], 'C1 control', { ...ann, full_name: 'Ann\u0085Lee' }, /^Full name/],
    [['FN-03'], 'NUL', { ...ann, full_name: 'Ann\u0000Lee' }, /^Full name/],
    ...['\u202e', '\u2066', '\u200f', '\u061c'].map(
      (control) =>
        [
          ['FN-03'],
          `direction control ${JSON.stringify(control)}`,
          { ...ann, full_name: `Ann ${control}eeL` },
          /^Full name: Control characters are not allowed$/,
        ] as const,
    ),
    [['FN-03'], '5 kB', { ...ann, full_name: 'x'.repeat(5000) }, /^Full name/],
    [['C217'], 'one letter', { ...ann, full_name: ' A ' }, /^Full name must be at least 2 characters$/],
    [[], 'no name', { email: ann.email }, /^Full name must be at least 2 characters$/],
    [
      ['FN-08'],
      'web address',
      { ...ann, full_name: 'Account locked visit evil.example/x' },
      /^Full name must not/,
    ],
    [['FN-08'], 'scheme', { ...ann, full_name: 'Ann http://evil' }, /^Full name must not/],
    [['FN-08'], 'www', { ...ann, full_name: 'Ann www.evil' }, /^Full name must not/],
    ...[
      'a@b.co, e@x.co',
      'a@b.co;e@x.co',
      'e@x.co, Ann <a@b.co>',
      '"e@x.co x"@internal.domain',
      'a@b.co e@x.co',
      'friends: a@b.co;',
      'a\uff20b.co',
      'a@b.co\r\nBcc: e@x.co',
      'a@b.co\u0000',
      '\u0130@x.com',
      '\u212aate@x.com',
      'a@[127.0.0.1]',
      'a@localhost',
      `${'l'.repeat(65)}@x.com`,
      `a@${'d'.repeat(250)}.com`,
      '',
    ].map(
      (email) =>
        [
          ['FN-04', 'AUTH-52', 'C216'],
          JSON.stringify(email).slice(0, 40),
          { ...ann, email },
          /^Invalid email address($|: )/,
        ] as const,
    ),
    [[], 'an email address that is no string', { ...ann, email: 7 }, /^Invalid email address$/],
  ] as [string[], string, unknown, RegExp][]) {
    it(`${name} is rejected with a message, and nothing changes`, { tags }, async () => {
      const before = await invitationTables(fixture.database);
      const response = await fixture.call(body, fixture.admin);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        code: 'validation_failed',
        error: expect.stringMatching(message),
      });
      expect(await invitationTables(fixture.database)).toBe(before);
      expect(fixture.mailServer.messages).toHaveLength(0);
    });
  }

  it('accepts only POST with a JSON object of limited size', { tags: ['FN-09'] }, async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await fixture.call(undefined, fixture.admin, {
        method,
        ...(method === 'GET' ? { body: null } : { body: '{}' }),
      });
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
    }
    const text = await fixture.call(JSON.stringify(ann), fixture.admin, {
      headers: { 'Content-Type': 'text/plain', Authorization: `Bearer ${fixture.admin}` },
    });
    expect(text.status).toBe(415);
    expect((await fixture.call('x'.repeat(2_000_000), fixture.admin)).status).toBe(413);
    for (const broken of ['{', '[]', 'null', '"text"']) {
      const response = await fixture.call(broken, fixture.admin);
      expect([response.status, await response.json()]).toEqual([
        400,
        expect.objectContaining({ code: 'bad_json' }),
      ]);
    }
    expect(fixture.mailServer.messages).toHaveLength(0);
  });

  it(
    'rejects the address of an existing administrator, in any letter case',
    { tags: ['AUTH-49'] },
    async () => {
      const before = await invitationTables(fixture.database);
      const response = await fixture.call(
        { email: ' Administrator@Example.ORG ', full_name: 'Other Name' },
        fixture.admin,
      );
      expect(response.status).toBe(409);
      expect(await response.json()).toEqual({
        code: 'already_administrator',
        error: 'administrator@example.org is already an administrator.',
      });
      expect(await invitationTables(fixture.database)).toBe(before);
    },
  );

  it('sends the first resend immediately, then enforces the cooldown', { tags: ['C288'] }, async () => {
    await fixture.call(ann, fixture.admin);
    const [first] = await invitation();
    expect((await fixture.call({ ...ann, full_name: 'Ann B. Lee' }, fixture.admin)).status).toBe(200);
    const [second] = await invitation();
    expect(second).toMatchObject({
      id: first?.['id'],
      invited_at: first?.['invited_at'],
      full_name: 'Ann B. Lee',
      send_count: 2,
    });
    expect(Number(second?.['expires_at'])).toBeGreaterThanOrEqual(Number(first?.['expires_at']));
    const before = await invitationTables(fixture.database);
    const third = await fixture.call(ann, fixture.admin);
    expect(third.status).toBe(429);
    const error = (await third.json()) as { error: string; retry_after: number };
    expect(error).toEqual({
      code: 'resend_cooldown',
      error: `The last email of this invitation is too recent. Try again in ${error.retry_after} seconds.`,
      retry_after: expect.any(Number),
    });
    expect(third.headers.get('Retry-After')).toBe(String(error.retry_after));
    expect(await invitationTables(fixture.database)).toBe(before);
    fixture.clock.ahead = 31_000;
    expect((await fixture.call(ann, fixture.admin)).status).toBe(200);
    fixture.clock.ahead = 0;
    expect(fixture.mailServer.messages).toHaveLength(3);
    const [tokens] = await fixture.database.query(
      sql`select count(*)::int as count from private.invitation_tokens`,
    );
    expect(tokens).toEqual({ count: 3 });
  });

  it(
    'ten concurrent calls in any letter case create one user, one record and one email',
    { tags: ['FN-10', 'X05'] },
    async () => {
      fixture.mailServer.behavior = { kind: 'accept' };
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          fixture.call({ ...ann, email: index % 2 === 0 ? ann.email : 'ANN@example.org' }, fixture.admin),
        ),
      );
      expect(responses.map((response) => response.status)).toEqual(Array.from({ length: 10 }, () => 200));
      const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
      expect(bodies.size).toBe(1);
      expect(fixture.mailServer.messages).toHaveLength(1);
      const [counts] = await fixture.database.query(
        sql`select (select count(*)::int from auth.users where email = ${ann.email}) as users,
                 (select count(*)::int from private.invitations) as records`,
      );
      expect(counts).toEqual({ users: 1, records: 1 });
    },
  );

  it('concurrent calls also share a failed email', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 451 };
    const responses = await Promise.all([
      fixture.call(ann, fixture.admin),
      fixture.call(ann, fixture.admin),
      fixture.call(ann, fixture.admin),
    ]);
    for (const response of responses) expect(await response.json()).toMatchObject({ success: false });
    expect(fixture.mailServer.messages).toHaveLength(1);
  });
});
