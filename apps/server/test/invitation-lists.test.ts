/** Lists of invitees in the console: functions `plan-invitations` and `invite-list`. */
import type { InvitationPlanResponse, InviteListResponse } from '@lanternrock/contract/invitation-list';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

eachEngine('lists of invitees', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { settings: { MAILS_PER_HOUR: '12' } });
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const call = async (name: string, body: unknown, as = fixture.admin) => {
    const response = await fixture.call(body, as, undefined, name);
    return { status: response.status, body: (await response.json()) as object };
  };
  const row = (name: string, more: object = {}) => ({
    email: `${name}@example.org`,
    full_name: `Person ${name}`,
    ...more,
  });
  const invite = async (...invitations: object[]): Promise<InviteListResponse> => {
    const { status, body } = await call('invite-list', { invitations });
    expect(status).toBe(200);
    return body as InviteListResponse;
  };
  const plan = async (...names: string[]): Promise<InvitationPlanResponse> =>
    (
      await call('plan-invitations', {
        emails: names.map((name) => `${name}@example.org`),
      })
    ).body as InvitationPlanResponse;
  const recipients = (): string[] => fixture.mailServer.messages.flatMap(({ to }) => to);

  it('plans each address and changes nothing', async () => {
    await invite(row('pending'), row('revoked'));
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 550 };
    await invite(row('failed'));
    await call('revoke-user-invitation', { email: 'revoked@example.org' });
    const ended = await fixture.createUser({ administrator: true, email: 'ended@example.org' });
    await fixture.database.query(
      sql`update public.user_roles set ends_at = now() - interval '1 minute' where user_id = ${ended}`,
    );
    const before = await invitationTables(fixture.database);
    expect(await plan('new', 'pending', 'revoked', 'failed', 'administrator', 'ENDED', 'new')).toEqual({
      statuses: ['new', 'pending', 'revoked', 'reinvite', 'administrator', 'new', 'new'],
      quota: { left: 5, limit: 12 },
    });
    expect(await invitationTables(fixture.database)).toBe(before);
  });

  it('sends notes and expiries, names the inviter, and reports invalid rows', async () => {
    const { results, stopped } = await invite(
      row('ann', { note: 'Welcome\nto the harbor', expires: '1d' }),
      row('bo', { expires: 'soon' }),
      row('cy', { note: 'a\u202eb' }),
      { email: 'no address', full_name: 'Di Fox' },
      row('ann'),
    );
    expect(stopped).toBeNull();
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'sent',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
    ]);
    expect(results.slice(1).map(({ reason }) => reason)).toEqual([
      'Expiry must be a duration such as 12h or 3d, or a time such as 2026-12-01T18:00Z',
      'Control characters are not allowed',
      'Invalid email address: remove the space',
      'The email address is repeated',
    ]);
    expect(recipients()).toEqual(['ann@example.org']);
    const { text } = await PostalMime.parse(fixture.mailServer.messages[0]?.raw ?? '');
    expect(text?.replaceAll('\u2060', '')).toContain(
      'Note from administrator@example.org:\n> Welcome\n> to the harbor\n',
    );
    const stored = await fixture.database.query(
      sql`select term_seconds, invited_by, inviter_kind from private.invitations i
          join private.deliveries d on d.invitation_id = i.id`,
    );
    expect(stored).toEqual([
      { term_seconds: 86_400, invited_by: fixture.admin, inviter_kind: 'administrator' },
    ]);
  });

  it('sends the same list twice only on request', async () => {
    await invite(row('ann'), row('bo'));
    expect((await invite(row('ann'), row('bo'))).results).toEqual([
      { outcome: 'pending' },
      { outcome: 'pending' },
    ]);
    expect(recipients()).toHaveLength(2);
    expect((await invite(row('ann', { again: true }))).results).toEqual([{ outcome: 'sent' }]);
    await call('revoke-user-invitation', { email: 'bo@example.org' });
    expect((await invite(row('bo', { again: true }))).results).toEqual([{ outcome: 'revoked' }]);
    expect(recipients()).toHaveLength(3);
  });

  it('invites again if the last email was captured before the service had a mail server', async () => {
    await invite(row('ann'));
    await fixture.database.query(sql`update private.deliveries set status = 'captured'`);
    expect((await plan('ann')).statuses).toEqual(['reinvite']);
    expect((await invite(row('ann'))).results).toEqual([{ outcome: 'sent' }]);
    expect((await plan('ann')).statuses).toEqual(['pending']);
  });

  it('stops at the quota with a sentence, and continues later with the rest', async () => {
    // Two each are reserved for recoveries of administrators and for notices.
    const rows = Array.from({ length: 10 }, (_, index) => row(`p${index}`));
    const { results, stopped } = await invite(...rows);
    expect(results).toHaveLength(8);
    expect(stopped).toEqual({
      message: expect.stringMatching(
        /^The limit of 12 emails per hour allows no more emails of this kind now; the rest is reserved for other kinds\. Try again in \d+ minutes\.$/,
      ),
      retry_after: expect.any(Number),
    });
    expect(await fixture.database.query(sql`select from private.invitations`)).toHaveLength(8);
    fixture.clock.ahead = 3_700_000;
    const rest = await invite(...rows.slice(results.length));
    expect(rest).toEqual({ results: [{ outcome: 'sent' }, { outcome: 'sent' }], stopped: null });
    expect(recipients()).toHaveLength(10);
  });

  it('reports the sent rows when the database refuses a later one, and sends the rest later', async () => {
    const runScript = (script: string): Promise<void> =>
      fixture.database.maintenance((tx) => fixture.database.script(tx, script));
    await runScript(`create function private.fail() returns trigger language plpgsql as
        $$ begin raise exception 'disk full' using errcode = '53100'; end $$;
      create trigger fail before insert on private.invitations
        for each row when (new.email = 'p3@example.org') execute function private.fail()`);
    const rows = ['p1', 'p2', 'p3', 'p4'].map((name) => row(name));
    const first = await call('invite-list', { invitations: rows });
    const alone = await call('invite-list', { invitations: rows.slice(2) });
    await runScript('drop trigger fail on private.invitations; drop function private.fail()');
    const message = 'The database has no free disk space, memory or file descriptors. Try again later.';
    expect(first).toEqual({
      status: 200,
      body: { results: [{ outcome: 'sent' }, { outcome: 'sent' }], stopped: { message, retry_after: 1 } },
    });
    expect(alone).toEqual({ status: 503, body: { error: message, code: 'database_full', retry_after: 1 } });
    expect(recipients()).toEqual(['p1@example.org', 'p2@example.org']);
    expect((await invite(...rows)).results.map(({ outcome }) => outcome)).toEqual([
      'pending',
      'pending',
      'sent',
      'sent',
    ]);
  });

  it('goes on after temporary failures: tries three emails, queues the rest, and sends all later', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 451 };
    const names = ['a1', 'a2', 'a3', 'a4'];
    const { results, stopped } = await invite(...names.map((name) => row(name)));
    const tried = { outcome: 'queued', reason: expect.stringMatching(/^451 /) };
    expect(results).toEqual([tried, tried, tried, { outcome: 'queued', reason: '' }]);
    expect(stopped).toBeNull();
    const next = await call('invite-list', { invitations: [row('a6')], queue: true });
    expect(next.body).toMatchObject({ results: [{ outcome: 'queued' }], stopped: null });
    expect((await plan('a1', 'a4')).statuses).toEqual(['pending', 'pending']);
    await fixture.outbox.idle();
    // The quota counts the attempts.
    await fixture.database.query(
      sql`update private.deliveries set attempted_at = now() - interval '2 hours'`,
    );
    fixture.mailServer.messages.length = 0;
    fixture.mailServer.behavior = { kind: 'accept' };
    fixture.clock.ahead = 35_000;
    await fixture.outbox.idle();
    expect(recipients().sort()).toEqual([...names, 'a6'].map((name) => `${name}@example.org`));
  });

  it('goes on after permanent rejections, which are final', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 550 };
    const { results, stopped } = await invite(...['a1', 'a2', 'a3', 'a4'].map((name) => row(name)));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => 'not_accepted'));
    expect(stopped).toBeNull();
    expect((await plan('a1', 'a4')).statuses).toEqual(['reinvite', 'reinvite']);
  });

  it('sends every invitation once in two concurrent calls', async () => {
    const rows = ['a', 'b', 'c'].map((name) => row(`x${name}`));
    await Promise.all([invite(...rows), invite(...rows)]);
    expect(recipients().sort()).toEqual(['xa@example.org', 'xb@example.org', 'xc@example.org']);
  });

  it('rejects other users and oversized or invalid bodies, and changes nothing', async () => {
    const member = await fixture.createUser({ email: 'member@example.org' });
    const before = await invitationTables(fixture.database);
    const many = Array.from({ length: 401 }, () => 'a@b.co');
    for (const [name, body, as, status] of [
      ['invite-list', { invitations: [row('ann')] }, member, 403],
      ['plan-invitations', { emails: ['a@b.co'] }, member, 403],
      ['invite-list', { invitations: [] }, fixture.admin, 400],
      ['invite-list', { invitations: Array.from({ length: 21 }, () => row('a')) }, fixture.admin, 400],
      ['invite-list', { invitations: [{ email: 5, full_name: 'x' }] }, fixture.admin, 400],
      ['invite-list', { invitations: [row('ann', { note: 'a'.repeat(20_000) })] }, fixture.admin, 413],
      ['plan-invitations', { emails: many }, fixture.admin, 400],
      ['plan-invitations', { emails: 'a@b.co' }, fixture.admin, 400],
    ] as const)
      expect((await call(name, body, as)).status, name).toBe(status);
    expect(await invitationTables(fixture.database)).toBe(before);
    expect(recipients()).toEqual([]);
  });
});
