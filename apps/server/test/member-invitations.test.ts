/** Invitations of members: invite, list, resend, revoke, with a mail server. */
import type { ActivityResponse } from '@lanternrock/contract/activity';
import type { InvitationResponse } from '@lanternrock/contract/invitations';
import type { MemberInvitationsResponse } from '@lanternrock/contract/member-invitations';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const hour = 3_600_000;

eachEngine('invitations of members', (engine) => {
  let fixture: EmailFixture;
  let account: string;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { settings: { MAILS_PER_HOUR: '12' }, sendTimeoutMs: 5000 });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    account = await createAccount('Vail Ski Patrol');
  });

  const createAccount = async (name: string): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise') returning id`,
    );
    return row?.id ?? '';
  };
  const post = async (name: string, body: object, as: string | undefined = fixture.admin) => {
    const response = await fixture.call(body, as, undefined, name);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const invite = (body: object = {}) =>
    post('invite-account-member', { account_id: account, ...ann, ...body });
  const invited = async (body: object = {}): Promise<InvitationResponse> => {
    const response = await invite(body);
    expect(response).toMatchObject({ status: 200 });
    return response.body as unknown as InvitationResponse;
  };
  const resend = (id: string) => post('resend-account-member-invitation', { invitation_id: id });
  const revoke = (id: string) => post('revoke-account-member-invitation', { invitation_id: id });
  const list = async (): Promise<MemberInvitationsResponse> =>
    (await post('account-member-invitations', { account_id: account }))
      .body as unknown as MemberInvitationsResponse;
  const expectRejection = async (
    run: () => Promise<{ status: number; body: Record<string, unknown> }>,
    [status, code]: readonly [number, string],
  ): Promise<string> => {
    const before = await invitationTables(fixture.database);
    const sent = fixture.mailServer.messages.length;
    const response = await run();
    expect([response.status, response.body['code']]).toEqual([status, code]);
    expect(await invitationTables(fixture.database)).toBe(before);
    expect(fixture.mailServer.messages).toHaveLength(sent);
    return String(response.body['error']);
  };
  const countRoles = async (): Promise<number> =>
    (await fixture.database.query(sql`select from public.user_roles`)).length;

  it('invites an unknown person by email, and gives no role', { tags: ['FN-02'] }, async () => {
    const roles = await countRoles();
    const response = await invited({ email: ' Ann@Example.org ', role: 'platform_admin' });
    expect(response).toEqual({
      success: true,
      invitation_id: expect.any(String),
      expires_at: expect.any(String),
    });
    const [message] = fixture.mailServer.messages;
    expect(fixture.mailServer.messages).toHaveLength(1);
    expect(message?.to).toEqual(['ann@example.org']);
    const text = message?.raw.replace(/=\r\n/g, '') ?? '';
    expect(text).toContain('You have been invited to Vail Ski Patrol on Lanternrock');
    expect(text).toContain('You do not become an administrator.');
    expect(text).toContain('setup=3Dtrue&member=3Dtrue&token_hash=3D');
    expect(await list()).toEqual({
      invitations: [
        {
          id: response.invitation_id,
          email: 'ann@example.org',
          full_name: 'Ann Lee',
          status: 'pending',
          invited_at: expect.any(String),
          expires_at: response.expires_at,
          ends_at: null,
          invited_by: 'administrator@example.org',
          email_status: 'handed_over',
          link_allowed: false,
        },
      ],
      more: false,
    });
    expect(await countRoles()).toBe(roles);
    expect(await fixture.database.query(sql`select from private.invitations`)).toEqual([]);
    expect(await fixture.database.query(sql`select from public.account_members`)).toEqual([]);
    const [user] = await fixture.database.query(
      sql`select encrypted_password, email_confirmed_at, raw_app_meta_data ->> 'setup_required' as setup
          from auth.users where email = 'ann@example.org'`,
    );
    expect(user).toEqual({ encrypted_password: null, email_confirmed_at: null, setup: 'true' });
  });

  it('invites for a membership with an end date, at which the link expires at the latest', async () => {
    const end = new Date(Date.now() + 2 * hour).toISOString();
    const { invitation_id: id } = await invited({ ends_at: end });
    const limited = { ends_at: end, expires_at: end };
    expect((await list()).invitations).toMatchObject([limited]);
    expect((await resend(id)).status).toBe(200);
    expect((await list()).invitations).toMatchObject([limited]);
    // A new invitation after a revocation has its own end date.
    await revoke(id);
    const later = new Date(Date.now() + 90 * 24 * hour).toISOString();
    await invited({ ends_at: later, terms: { expires_in: 7200 } });
    const [reopened] = (await list()).invitations;
    expect(reopened?.ends_at).toBe(later);
    expect(Date.parse(reopened?.expires_at ?? '')).toBeLessThan(Date.now() + 3 * hour);
    await revoke(id);
    await invited();
    expect((await list()).invitations).toMatchObject([{ ends_at: null }]);
  });

  it('rejects an end date in the past, and emails and links after the end date', async () => {
    for (const [ends_at, code] of [
      [new Date(Date.now() - 1000).toISOString(), 'membership_end_in_past'],
      ['tomorrow', 'validation_failed'],
    ] as const)
      await expectRejection(() => invite({ ends_at }), [400, code]);
    fixture.mailServer.behavior = { kind: 'reject message', code: 550 };
    const { invitation_id: id } = await invited({ ends_at: new Date(Date.now() + hour).toISOString() });
    await fixture.database.query(
      sql`update private.member_invitations set membership_ends_at = now() - interval '1 second'`,
    );
    for (const name of ['resend-account-member-invitation', 'create-account-member-invitation-link'])
      expect(await expectRejection(() => post(name, { invitation_id: id }), [409, 'membership_ended'])).toBe(
        'The end date of the membership of ann@example.org has passed. Revoke the invitation, and invite them again.',
      );
    expect((await revoke(id)).status).toBe(200);
    fixture.mailServer.behavior = { kind: 'accept' };
    await invited();
  });

  it('ignores the list ID of other invitations', async () => {
    expect((await invite({ list_id: 'x' })).status).toBe(200);
  });

  it('invites one person to several accounts, once to each', async () => {
    await invited();
    const elsewhere = await createAccount('Elsewhere');
    await invited({ account_id: elsewhere });
    expect(await expectRejection(() => invite(), [409, 'already_invited'])).toBe(
      'ann@example.org has a pending invitation to this account. Resend it instead.',
    );
    expect(fixture.mailServer.messages).toHaveLength(2);
  });

  it('sends one email for concurrent calls', async () => {
    const responses = await Promise.all([invite(), invite(), invite()]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(fixture.mailServer.messages).toHaveLength(1);
    expect((await list()).invitations).toHaveLength(1);
  });

  it('rejects who can sign in, is blocked, has a role or is a member', { tags: ['AUTH-49'] }, async () => {
    await fixture.database.query(
      sql`insert into auth.users (email, encrypted_password, email_confirmed_at, banned_until, deleted_at) values
        ('in@example.org', 'x', now(), null, null), ('banned@example.org', 'x', now(), 'infinity', null),
        ('gone@example.org', null, null, null, now()), ('role@example.org', null, null, null, null),
        ('ended@example.org', null, null, null, null), ('member@example.org', null, null, null, null),
        ('passkey@example.org', null, now(), null, null)`,
    );
    await fixture.database.query(
      sql`insert into auth.webauthn_credentials (user_id, credential_id, public_key)
          select id, 'own', '' from auth.users where email = 'passkey@example.org'`,
    );
    await fixture.database.query(
      sql`insert into public.user_roles (user_id, role, ends_at)
          select id, 'platform_admin', case email when 'ended@example.org' then now() - interval '1 day' end
          from auth.users where email in ('role@example.org', 'ended@example.org')`,
    );
    await fixture.database.query(
      sql`insert into public.account_members (account_id, user_id)
          select ${account}, id from auth.users where email = 'member@example.org'`,
    );
    for (const [email, text] of [
      ['in@example.org', 'can sign in already. Add them as a member instead.'],
      ['passkey@example.org', 'can sign in already. Add them as a member instead.'],
      ['banned@example.org', 'is blocked and cannot sign in.'],
      ['gone@example.org', 'is blocked and cannot sign in.'],
      ['role@example.org', 'has a role. Invite them as an administrator instead.'],
      ['ended@example.org', 'has a role. Invite them as an administrator instead.'],
    ] as const)
      expect(await expectRejection(() => invite({ email }), [409, 'not_invitable'])).toContain(text);
    await expectRejection(() => invite({ email: 'member@example.org' }), [409, 'already_member']);
    expect(await fixture.database.query(sql`select from auth.webauthn_credentials`)).toHaveLength(1);
  });

  const countWaiting = async (): Promise<number> =>
    (await fixture.database.query(sql`select from private.deliveries where status = 'waiting'`)).length;

  it('does not lift the ban of a removed administrator', async () => {
    const bo = await fixture.createUser({ administrator: true, email: 'bo@example.org' });
    const sent = fixture.mailServer.messages.length;
    expect(await post('remove-administrator', { email: 'bo@example.org' })).toMatchObject({ status: 200 });
    // The notice of the removal.
    await expect.poll(() => fixture.mailServer.messages.length).toBe(sent + 1);
    await expect.poll(() => countWaiting()).toBe(0);
    await expectRejection(() => invite({ email: 'bo@example.org' }), [409, 'not_invitable']);
    const [user] = await fixture.database.query<{ banned: boolean }>(
      sql`select banned_until > now() as banned from auth.users where id = ${bo}`,
    );
    expect(user).toEqual({ banned: true });
  });

  it('rejects invalid input, unknown accounts and unknown invitations', async () => {
    for (const body of [
      { email: 'no address' },
      { full_name: 'A' },
      { full_name: 'See https://evil.example' },
      { account_id: 'x' },
      { terms: { note: 'a'.repeat(501) } },
      { terms: { expires_in: 60 } },
    ])
      await expectRejection(() => invite(body), [400, 'validation_failed']);
    await expectRejection(
      () => invite({ terms: { expires_at: new Date(Date.now() + 60_000).toISOString() } }),
      [400, 'invalid_expiry'],
    );
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expectRejection(() => invite({ account_id: unknown }), [404, 'account_not_found']);
    await expectRejection(() => resend(unknown), [404, 'no_invitation']);
    await expectRejection(() => revoke(unknown), [404, 'no_invitation']);
    await expectRejection(
      () => post('account-member-invitations', { account_id: unknown }),
      [404, 'account_not_found'],
    );
  });

  it('keeps the note and the expiry for a resend, and limits resends', async () => {
    const { invitation_id: id, expires_at: first } = await invited({
      terms: { note: 'Welcome to the harbor', expires_in: 7200 },
    });
    expect(new Date(first).getTime() - Date.now()).toBeLessThan(2.1 * hour);
    fixture.clock.ahead = hour;
    const again = await resend(id);
    expect(again).toMatchObject({ status: 200, body: { success: true, invitation_id: id } });
    const ahead = new Date(String(again.body['expires_at'])).getTime() - Date.now();
    expect(ahead).toBeGreaterThan(2.9 * hour);
    expect(ahead).toBeLessThan(3.1 * hour);
    for (const { raw } of fixture.mailServer.messages) expect(raw).toContain('Welcome to the harbor');
    await expectRejection(() => resend(id), [429, 'resend_cooldown']);
    fixture.clock.ahead = hour + 120_000;
    expect((await resend(id)).status).toBe(200);
    // Links of earlier emails stay valid.
    expect(await fixture.database.query(sql`select from private.member_invitation_tokens`)).toHaveLength(3);
  });

  it('rejects a resend while the email is being sent', async () => {
    fixture.mailServer.behavior = { kind: 'hold recipient' };
    const sending = invite();
    await fixture.mailServer.held();
    const [row] = (await list()).invitations;
    expect(row?.email_status).toBe('waiting');
    await expectRejection(() => resend(row?.id ?? ''), [429, 'resend_cooldown']);
    await sending;
  });

  it('keeps the invitation if its email is rejected, and sends it again', { tags: ['REL-08'] }, async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 550 };
    const response = await invited();
    expect(response).toMatchObject({ success: false, reason: expect.stringMatching(/550/) });
    expect((await list()).invitations).toMatchObject([{ status: 'pending', email_status: 'refused' }]);
    fixture.mailServer.behavior = { kind: 'accept' };
    expect((await resend(response.invitation_id)).body).toMatchObject({ success: true });
    expect((await list()).invitations).toMatchObject([{ email_status: 'handed_over' }]);
  });

  it('sends a queued email later, with a link that is valid for its full time', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    const response = await invited();
    expect(response).toMatchObject({ success: false, retry_at: expect.any(String) });
    fixture.mailServer.behavior = { kind: 'accept' };
    fixture.clock.ahead = 5 * 24 * hour;
    await fixture.outbox.idle();
    expect(fixture.mailServer.messages).toHaveLength(1);
    const [row] = await fixture.database.query<{ days: number }>(
      sql`select extract(epoch from least(i.expires_at, t.expires_at) - now())::float8 / 86400 as days
          from private.member_invitations i join private.member_invitation_tokens t on t.invitation_id = i.id`,
    );
    expect(row?.days).toBeGreaterThan(11.9);
    expect((await list()).invitations).toMatchObject([{ status: 'pending', email_status: 'handed_over' }]);
  });

  it('revokes an invitation with its links and its queued email, and invites again', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    const { invitation_id: id } = await invited();
    expect(await revoke(id)).toEqual({ status: 200, body: { success: true } });
    expect(await list()).toEqual({ invitations: [], more: false });
    expect(await fixture.database.query(sql`select from private.member_invitation_tokens`)).toEqual([]);
    fixture.mailServer.behavior = { kind: 'accept' };
    fixture.clock.ahead = hour;
    await fixture.outbox.idle();
    expect(fixture.mailServer.messages).toEqual([]);
    await expectRejection(() => revoke(id), [409, 'invitation_ended']);
    await expectRejection(() => resend(id), [409, 'invitation_ended']);
    expect((await invited({ full_name: 'Ann Moe' })).invitation_id).toBe(id);
    expect((await list()).invitations).toMatchObject([{ full_name: 'Ann Moe', status: 'pending' }]);
  });

  it('lists an expired invitation, which can be sent again, also with other terms', async () => {
    const { invitation_id: id } = await invited({ terms: { expires_in: 3600 } });
    fixture.clock.ahead = 2 * hour;
    expect((await list()).invitations).toMatchObject([{ id, status: 'expired' }]);
    expect((await resend(id)).status).toBe(200);
    expect((await list()).invitations).toMatchObject([{ id, status: 'pending' }]);
    fixture.clock.ahead = 4 * hour;
    await invited({ terms: { note: 'Once more' } });
    expect((await list()).invitations).toMatchObject([{ id, status: 'pending' }]);
  });

  it('invites a person again whose user was deleted', async () => {
    const { invitation_id: id } = await invited();
    await fixture.database.query(sql`delete from auth.users where email = 'ann@example.org'`);
    expect((await resend(id)).status).toBe(200);
    const [row] = await fixture.database.query(
      sql`select u.email from private.member_invitations i join auth.users u on u.id = i.user_id`,
    );
    expect(row).toEqual({ email: 'ann@example.org' });
  });

  it('lists no invitation of a person who has become a member in another way', async () => {
    await invited();
    await fixture.database.query(
      sql`insert into public.account_members (account_id, user_id)
          select account_id, user_id from private.member_invitations`,
    );
    expect((await list()).invitations).toEqual([]);
  });

  it('lists at most 100 invitations', async () => {
    await fixture.database.query(
      sql`insert into private.member_invitations (account_id, email, full_name)
          select ${account}, 'p' || n || '@example.org', 'Person ' || n from generate_series(1, 101) n`,
    );
    const response = await list();
    expect([response.invitations.length, response.more]).toEqual([100, true]);
  });

  it('has the email quota of invitations', async () => {
    for (let n = 0; n < 8; n += 1) {
      const response = await invite({ email: `p${n}@example.org` });
      if (response.status === 429) break;
    }
    await expectRejection(() => invite({ email: 'late@example.org' }), [429, 'over_email_send_rate_limit']);
  });

  it('appears in the activity of the account', async () => {
    const { invitation_id: id } = await invited();
    await revoke(id);
    const { entries } = (await post('list-activity', { record: account, kind: 'members' }))
      .body as unknown as ActivityResponse;
    expect(
      entries.map(({ action, record_name, member_name, actor_email }) => [
        action,
        record_name,
        member_name,
        actor_email,
      ]),
    ).toEqual(
      Array.from({ length: 3 }, (_, index) => [
        index === 2 ? 'INSERT' : 'UPDATE',
        'Vail Ski Patrol',
        'Ann Lee',
        index === 1 ? null : 'administrator@example.org',
      ]),
    );
    expect(JSON.stringify(entries)).not.toContain('token');
  });
});
