/** The link of the invitation of a member, which an administrator shares instead of its email. */
import { randomUUID } from 'node:crypto';
import type { ActivityResponse } from '@lanternrock/contract/activity';
import type { InvitationLinkResponse } from '@lanternrock/contract/invitations';
import type { MemberInvitation, MemberInvitationsResponse } from '@lanternrock/contract/member-invitations';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { fingerprint } from '@lanternrock/testing/fingerprint';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hashLinkToken } from '../../../packages/auth/src/one-time-tokens/one-time-tokens.ts';
import { findInvitationByToken } from '../src/invitations/invitation-tokens.ts';
import { openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const hour = 3_600_000;
const name = 'create-account-member-invitation-link';

eachEngine('link of the invitation of a member', (engine) => {
  let fixture: EmailFixture;
  let account: string;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { sendTimeoutMs: 5000 });
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values ('Vail Ski Patrol', 'a', 'enterprise') returning id`,
    );
    account = row?.id ?? '';
  });

  const post = async (to: string, body: object, as: string | undefined = fixture.admin) => {
    const response = await fixture.call(body, as, undefined, to);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const invite = (body: object = {}) =>
    post('invite-account-member', { account_id: account, ...ann, ...body });
  /** Invites with an email that the mail server rejects. @returns the ID of the invitation */
  const inviteRejected = async (body: object = {}, code = 550): Promise<string> => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code };
    const response = await invite(body);
    expect(response).toMatchObject({ status: 200, body: { success: false } });
    fixture.mailServer.behavior = { kind: 'accept' };
    return String(response.body['invitation_id']);
  };
  const link = (id: string, as?: string) => post(name, { invitation_id: id }, as);
  const created = async (id: string): Promise<InvitationLinkResponse> => {
    const response = await link(id);
    expect(response).toMatchObject({ status: 200 });
    return response.body as unknown as InvitationLinkResponse;
  };
  const listed = async (): Promise<MemberInvitation | undefined> =>
    (
      (await post('account-member-invitations', { account_id: account }))
        .body as unknown as MemberInvitationsResponse
    ).invitations[0];
  const tokenOf = ({ link: url }: InvitationLinkResponse): string =>
    new URL(url).searchParams.get('token_hash') ?? '';
  const find = (response: InvitationLinkResponse) =>
    findInvitationByToken(fixture.database, 'member_invitation', {
      tokenHash: hashLinkToken(tokenOf(response)),
      now: new Date(Date.now() + fixture.clock.ahead),
    });
  const expectRejection = async (
    run: () => Promise<{ status: number; body: Record<string, unknown> }>,
    [status, code]: readonly [number, string],
  ): Promise<void> => {
    const before = await fingerprint(fixture.database);
    const sent = fixture.mailServer.messages.length;
    const response = await run();
    expect([response.status, response.body['code']]).toEqual([status, code]);
    expect(await fingerprint(fixture.database)).toBe(before);
    expect(fixture.mailServer.messages).toHaveLength(sent);
  };

  it('opens the invitation whose email was rejected, and is stored and logged nowhere', async () => {
    const id = await inviteRejected();
    expect(await listed()).toMatchObject({ id, email_status: 'refused', link_allowed: true });
    const key = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
    const headers = { ...key, Authorization: `Bearer ${fixture.admin}` };
    const response = await fixture.call({ invitation_id: id }, fixture.admin, { headers }, name);
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    const body = (await response.json()) as InvitationLinkResponse;
    expect(Object.keys(body).toSorted()).toEqual(['expires_at', 'link']);
    expect(body.link).toMatch(
      /^https:\/\/console\.example\.org\/auth\/callback\?setup=true&member=true&token_hash=[\w-]{43}&type=invite$/,
    );
    expect(await find(body)).toMatchObject({ id, isExpired: false, email: ann.email });
    expect((await listed())?.expires_at).toBe(body.expires_at);
    expect(fixture.logged()).not.toContain(tokenOf(body));
    expect(await fixture.database.query(sql`select from private.request_keys`)).toEqual([]);
    expect(fixture.mailServer.messages).toEqual([]);
    expect(await fixture.database.query(sql`select from private.invitations`)).toEqual([]);
  });

  it('leaves earlier links valid, as that of an administrator, and revoking ends all', async () => {
    const id = await inviteRejected();
    const first = await created(id);
    const second = await created(id);
    expect(tokenOf(second)).not.toBe(tokenOf(first));
    for (const each of [first, second]) expect(await find(each)).toMatchObject({ id, isExpired: false });
    expect((await post('revoke-account-member-invitation', { invitation_id: id })).status).toBe(200);
    for (const each of [first, second]) expect(await find(each)).toBeNull();
    await expectRejection(() => link(id), [409, 'invitation_ended']);
  });

  it('replaces the queued email, which is not sent', async () => {
    const id = await inviteRejected({}, 450);
    expect(await listed()).toMatchObject({ email_status: 'waiting', link_allowed: true });
    await created(id);
    expect(
      await fixture.database.query(
        sql`select status, answer, sealed from private.deliveries where kind = 'member_invitation'`,
      ),
    ).toEqual([
      {
        status: 'refused',
        answer: expect.stringMatching(/^450 .* - A shared link replaced this email\.$/),
        sealed: null,
      },
    ]);
    fixture.clock.ahead = 24 * hour;
    await fixture.outbox.idle();
    expect(fixture.mailServer.messages).toEqual([]);
    // An email can still be sent, and then delivers the link.
    expect((await post('resend-account-member-invitation', { invitation_id: id })).status).toBe(200);
    expect(await listed()).toMatchObject({ email_status: 'handed_over', link_allowed: false });
  });

  it('keeps the terms, also for an expired invitation', async () => {
    const id = await inviteRejected({ terms: { note: 'Welcome to the harbor', expires_in: 7200 } });
    fixture.clock.ahead = 3 * hour;
    expect(await listed()).toMatchObject({ status: 'expired', link_allowed: true });
    const response = await created(id);
    const ahead = new Date(response.expires_at).getTime() - Date.now();
    expect(ahead).toBeGreaterThan(4.9 * hour);
    expect(ahead).toBeLessThan(5.1 * hour);
    expect(await listed()).toMatchObject({ status: 'pending', expires_at: response.expires_at });
    expect(await find(response)).toMatchObject({ isExpired: false });
    expect(
      await fixture.database.query(
        sql`select note, term_seconds, send_count from private.member_invitations`,
      ),
    ).toEqual([{ note: 'Welcome to the harbor', term_seconds: 7200, send_count: 0 }]);
  });

  it('makes its creator the inviter, is recorded for the account, and notifies the others', async () => {
    const id = await inviteRejected();
    const bo = await fixture.createUser({ administrator: true, email: 'bo@example.org' });
    await fixture.createUser({ administrator: true, email: 'cy@example.org' });
    const response = await link(id, bo);
    expect(response.status).toBe(200);
    expect(await listed()).toMatchObject({ invited_by: 'bo@example.org' });
    const { entries } = (await post('list-activity', { record: account, kind: 'members', limit: 1 }))
      .body as unknown as ActivityResponse;
    expect(entries).toMatchObject([
      {
        action: 'link_created',
        table_name: 'private.member_invitations',
        actor_id: bo,
        record_name: 'Vail Ski Patrol',
        member_name: 'Ann Lee',
        undoable: false,
      },
    ]);
    const token = new URL(String(response.body['link'])).searchParams.get('token_hash') ?? '';
    const [log] = await fixture.database.query<{ text: string }>(
      sql`select string_agg(l::text, ' ') as text from private.audit_log l`,
    );
    expect(log?.text).not.toContain(token);
    await fixture.outbox.idle();
    const notices = fixture.mailServer.messages.map(({ to, raw }) => [
      to[0],
      raw.replaceAll('=\r\n', '').replaceAll(/\s+/g, ' '),
    ]);
    expect(notices.map(([to]) => to).toSorted()).toEqual(['administrator@example.org', 'cy@example.org']);
    for (const [, raw] of notices) {
      expect(raw).toContain('An invitation link for a member of Vail Ski Patrol was created');
      expect(raw).not.toContain(token);
    }
  });

  it('is rejected after a delivered email, and while the email is being sent', async () => {
    const { body } = await invite();
    const id = String(body['invitation_id']);
    expect(await listed()).toMatchObject({ link_allowed: false });
    await expectRejection(() => link(id), [409, 'link_not_allowed']);
    fixture.mailServer.behavior = { kind: 'hold recipient' };
    const sending = post('resend-account-member-invitation', { invitation_id: id });
    await fixture.mailServer.held();
    expect(await listed()).toMatchObject({ email_status: 'waiting', link_allowed: false });
    await expectRejection(() => link(id), [409, 'link_not_allowed']);
    await sending;
  });

  it('is rejected for a user who can sign in, is blocked or has a role', { tags: ['AUTH-49'] }, async () => {
    const id = await inviteRejected();
    const invited = sql`select id from auth.users where email = ${ann.email}`;
    const [user] = await fixture.database.query<{ id: string }>(invited);
    const userId = user?.id ?? '';
    for (const [add, remove, code] of [
      [
        sql`update auth.users set encrypted_password = 'own' where id = ${userId}`,
        sql`update auth.users set encrypted_password = null where id = ${userId}`,
        'link_not_allowed',
      ],
      [
        sql`insert into auth.webauthn_credentials (user_id, credential_id, public_key) values (${userId}, 'own', '')`,
        sql`delete from auth.webauthn_credentials`,
        'link_not_allowed',
      ],
      [
        sql`insert into auth.identities (user_id, provider, provider_id, identity_data) values (${userId}, 'google', 'own', '{}')`,
        sql`delete from auth.identities where provider = 'google'`,
        'link_not_allowed',
      ],
      [
        sql`update auth.users set banned_until = 'infinity' where id = ${userId}`,
        sql`update auth.users set banned_until = null where id = ${userId}`,
        'not_invitable',
      ],
      [
        sql`insert into public.user_roles (user_id, role, ends_at) values (${userId}, 'platform_admin', now() - interval '1 day')`,
        sql`delete from public.user_roles where user_id = ${userId}`,
        'not_invitable',
      ],
    ] as const) {
      await fixture.database.query(add);
      await expectRejection(() => link(id), [409, code]);
      await fixture.database.query(remove);
    }
    expect((await link(id)).status).toBe(200);
  });

  it('is rejected for other users, and for an unknown or invalid ID', { tags: ['X01'] }, async () => {
    const id = await inviteRejected();
    const member = await fixture.createUser({ email: 'member@example.org' });
    await expectRejection(() => link(id, member), [403, 'not_platform_admin']);
    await expectRejection(() => link(id, ''), [401, 'not_authenticated']);
    await expectRejection(() => link('x'), [400, 'validation_failed']);
    await expectRejection(() => post(name, ann), [400, 'validation_failed']);
    await expectRejection(() => link(randomUUID()), [404, 'no_invitation']);
    // The function for administrators does not find it.
    await expectRejection(
      () => post('create-invitation-link', { email: ann.email }),
      [404, 'no_open_invitation'],
    );
  });
});
