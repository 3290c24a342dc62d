/** Accepting the invitation of a member with the whole service: what it gives, and what it never gives. */
import { createAuthRequester, type AuthRequester } from '@lanternrock/auth/test-support/auth-requests';
import type { InvitationLinkResponse } from '@lanternrock/contract/invitations';
import { sql } from '@lanternrock/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFunctionCaller, type CallFunction } from './support/call-function.ts';
import { emailsTo, linksIn } from './support/email-links.ts';
import { eachEngine, startTestService, type TestService, type TestUser } from './support/test-service.ts';

let counter = 0;

eachEngine('accepting the invitation of a member', (engine) => {
  let test: TestService;
  let auth: AuthRequester;
  let call: CallFunction;
  let admin: TestUser;
  let adminToken: string;
  let account: string;
  let other: string;
  let email: string;
  beforeAll(async () => {
    test = await startTestService(engine, { settings: { MAILS_PER_HOUR: '1000' } });
    auth = createAuthRequester(test);
    call = createFunctionCaller(test);
    admin = await test.createUser({ email: 'admin@example.org', isAdministrator: true });
    adminToken = (await test.signIn(admin)).access_token;
    [account, other] = await Promise.all([createAccount('Vail Ski Patrol'), createAccount('Harbor Patrol')]);
  });
  beforeEach(() => {
    counter += 1;
    email = `guest${counter}@example.org`;
  });
  afterAll(() => test.close());

  const createAccount = async (name: string): Promise<string> => {
    const [row] = await test.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise') returning id`,
    );
    return row?.id ?? '';
  };
  /** @returns the ID of the invitation, and the link of its email */
  const invite = async (accountId = account, more: object = {}): Promise<{ id: string; link: URL }> => {
    const body = { account_id: accountId, email, full_name: 'Guest Person', ...more };
    const [status, response] = await call('invite-account-member', body, adminToken);
    expect([status, response]).toMatchObject([200, { success: true }]);
    return { id: (response as { invitation_id: string }).invitation_id, link: await lastLink() };
  };
  const inviteAdministrator = async (): Promise<URL> => {
    expect((await call('send-user-invitation', { email, full_name: 'Guest Person' }, adminToken))[0]).toBe(
      200,
    );
    return lastLink();
  };
  const lastLink = async (): Promise<URL> => {
    const link = linksIn(await test.emails(), email).at(-1);
    if (!link) throw new Error('No email has a link');
    return link;
  };
  /** Opens a link. @returns the access token, or the rejection */
  const open = async (link: URL): Promise<{ status: number; bearer: string; code: unknown }> => {
    const body = { type: 'invite', token_hash: link.searchParams.get('token_hash') };
    const { status, json } = await auth('POST', '/verify', { body });
    return { status, bearer: String(json['access_token']), code: json['code'] ?? json['error_code'] };
  };
  const setPassword = (bearer: string, password = 'a fine password') =>
    auth('PUT', '/user', { bearer, body: { password } });
  const accept = async (link: URL, password?: string): Promise<string> => {
    const { bearer } = await open(link);
    expect((await setPassword(bearer, password)).status).toBe(200);
    return bearer;
  };
  /** Roles and active accounts of the invited user, and the statuses of the invitations. */
  const state = async (): Promise<unknown> => {
    const [row] = await test.database.query(sql`select
      (select count(*)::int from public.user_roles r where r.user_id = u.id) as roles,
      coalesce((select string_agg(a.name, ', ' order by a.name) from public.account_members m
        join public.accounts a on a.id = m.account_id where m.user_id = u.id and m.status = 'active'), '') as accounts,
      coalesce((select string_agg(i.status, ', ' order by i.invited_at) from private.member_invitations i
        where i.email = u.email), '') as invitations
      from auth.users u where u.email = ${email}`);
    return row;
  };
  const rest = async (path: string, bearer: string): Promise<unknown> => {
    const response = await test.request(`/rest/v1/${path}`, {
      headers: { apikey: test.anonKey, Authorization: `Bearer ${bearer}` },
    });
    return response.json();
  };

  it('sets a password, gives a membership and no role, and works once', { tags: ['AUTH-40'] }, async () => {
    const { link } = await invite();
    expect(link.searchParams.get('member')).toBe('true');
    const { bearer } = await open(link);
    expect(await state()).toEqual({ roles: 0, accounts: '', invitations: 'pending' });
    // The session can do nothing else.
    expect(await call('account-members', { account_id: account }, bearer)).toMatchObject([403, {}]);
    expect(await auth('PUT', '/user', { bearer, body: { email: 'x@example.org' } })).toMatchObject({
      status: 403,
    });
    expect((await setPassword(bearer)).status).toBe(200);
    expect(await state()).toEqual({ roles: 0, accounts: 'Vail Ski Patrol', invitations: 'accepted' });
    expect(await rest('accounts?select=name', bearer)).toEqual([{ name: 'Vail Ski Patrol' }]);
    expect(await rest('account_members?select=status', bearer)).toEqual([{ status: 'active' }]);
    expect(await rest('user_roles?select=*', bearer)).toEqual([]);
    expect(await rest('user_invitations?select=*', bearer)).toEqual([]);
    expect(await open(link)).toMatchObject({ status: 403, code: 'otp_expired' });
    await test.signIn({ email, password: 'a fine password' });
    const administrators = await emailsTo(test, admin.email);
    expect(administrators.filter(({ text }) => text?.includes(email))).toEqual([]);
  });

  it('gives a membership with the end date of the invitation', async () => {
    const end = '2126-06-01T20:00:00.000Z';
    const bearer = await accept((await invite(account, { ends_at: end })).link);
    const [member] = (await rest('account_members?select=status,ends_at', bearer)) as { ends_at: string }[];
    expect(new Date(member?.ends_at ?? '').toISOString()).toBe(end);
  });

  it('gives nothing after the end date of the membership', async () => {
    const end = new Date(Date.now() + 3_600_000).toISOString();
    const { id, link } = await invite(account, { ends_at: end });
    const { bearer } = await open(link);
    await test.database.query(
      sql`update private.member_invitations set membership_ends_at = now() where id = ${id}`,
    );
    const before = await test.fingerprint();
    expect(await setPassword(bearer)).toMatchObject({ status: 403, json: { error_code: 'otp_expired' } });
    expect(await test.fingerprint()).toBe(before);
    expect(await state()).toEqual({ roles: 0, accounts: '', invitations: 'pending' });
    await test.database.query(sql`update private.member_invitations set expires_at = now() where id = ${id}`);
    expect(await open(link)).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  it('is accepted once by concurrent sessions of its link', { tags: ['AUTH-40'] }, async () => {
    const { link } = await invite();
    const sessions = await Promise.all(Array.from({ length: 4 }, () => open(link)));
    const responses = await Promise.all(
      sessions.map(({ bearer }, index) => setPassword(bearer, `a fine password ${index}`)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const winner = responses.findIndex(({ status }) => status === 200);
    await test.signIn({ email, password: `a fine password ${winner}` });
    expect(await state()).toEqual({ roles: 0, accounts: 'Vail Ski Patrol', invitations: 'accepted' });
  });

  it('is either revoked or accepted by concurrent calls', async () => {
    const { id, link } = await invite();
    const { bearer } = await open(link);
    const [[revoked], { status }] = await Promise.all([
      call('revoke-account-member-invitation', { invitation_id: id }, adminToken),
      setPassword(bearer),
    ]);
    expect([revoked === 200, status === 200].filter(Boolean)).toHaveLength(1);
    expect(await state()).toMatchObject(
      revoked === 200
        ? { roles: 0, accounts: '', invitations: 'revoked' }
        : { roles: 0, accounts: 'Vail Ski Patrol', invitations: 'accepted' },
    );
  });

  it('names the invited user as the actor of the acceptance', async () => {
    await accept((await invite()).link);
    const rows = await test.database.query(
      sql`select l.table_name, l.action, l.actor = u.id as own from private.audit_log l
          join auth.users u on u.email = ${email}
          where l.table_name = 'public.account_members' and l.after ->> 'user_id' = u.id::text
             or l.table_name = 'private.member_invitations' and l.after ->> 'status' = 'accepted'
               and l.after ->> 'email' = ${email} order by l.table_name`,
    );
    expect(rows).toEqual([
      { table_name: 'private.member_invitations', action: 'UPDATE', own: true },
      { table_name: 'public.account_members', action: 'INSERT', own: true },
    ]);
  });

  it('is accepted with a link that an administrator shares, and then all its links end', async () => {
    const { id, link: emailed } = await invite();
    const createLink = () => call('create-account-member-invitation-link', { invitation_id: id }, adminToken);
    const [status, response] = await createLink();
    expect(status).toBe(200);
    const shared = new URL((response as InvitationLinkResponse).link);
    expect((await open(emailed)).status).toBe(200);
    await accept(shared);
    expect(await state()).toEqual({ roles: 0, accounts: 'Vail Ski Patrol', invitations: 'accepted' });
    for (const link of [shared, emailed])
      expect(await open(link)).toMatchObject({ status: 403, code: 'otp_expired' });
    await test.signIn({ email, password: 'a fine password' });
    const before = await test.fingerprint();
    expect(await createLink()).toMatchObject([409, { code: 'invitation_ended' }]);
    expect(await test.fingerprint()).toBe(before);
  });

  it('accepts all pending invitations of the user with one password', async () => {
    const first = await invite();
    const second = await invite(other);
    await accept(second.link);
    expect(await state()).toEqual({
      roles: 0,
      accounts: 'Harbor Patrol, Vail Ski Patrol',
      invitations: 'accepted, accepted',
    });
    expect(await open(first.link)).toMatchObject({ status: 403 });
  });

  it('accepts neither a revoked nor an expired invitation', async () => {
    const { id, link } = await invite();
    const { bearer } = await open(link);
    await call('revoke-account-member-invitation', { invitation_id: id }, adminToken);
    expect((await setPassword(bearer)).status).toBe(403);
    expect(await open(link)).toMatchObject({ status: 403, code: 'otp_expired' });
    await invite();
    const again = await open(await lastLink());
    await test.database.query(
      sql`update private.member_invitations set expires_at = now() - interval '1 second' where id = ${id}`,
    );
    const before = await test.fingerprint();
    expect(await setPassword(again.bearer)).toMatchObject({
      status: 403,
      json: { error_code: 'otp_expired' },
    });
    expect(await test.fingerprint()).toBe(before);
    expect(await state()).toEqual({ roles: 0, accounts: '', invitations: 'pending' });
  });

  describe('with an invitation of the same address as an administrator', () => {
    it('the link of the member gives no role, and the other link gives it', async () => {
      const member = await invite();
      const administrator = await inviteAdministrator();
      await accept(member.link);
      expect(await state()).toEqual({ roles: 0, accounts: 'Vail Ski Patrol', invitations: 'accepted' });
      await accept(administrator, 'another fine password');
      expect(await state()).toMatchObject({ roles: 1, accounts: 'Vail Ski Patrol' });
    });

    it('the same in the other order, also after a resend', async () => {
      const administrator = await inviteAdministrator();
      const { id } = await invite();
      expect((await call('resend-account-member-invitation', { invitation_id: id }, adminToken))[0]).toBe(
        200,
      );
      await accept(await lastLink());
      expect(await state()).toEqual({ roles: 0, accounts: 'Vail Ski Patrol', invitations: 'accepted' });
      await call('revoke-user-invitation', { email }, adminToken);
      expect(await open(administrator)).toMatchObject({ status: 403 });
      expect(await state()).toMatchObject({ roles: 0 });
    });

    it('the link of the administrator accepts both', async () => {
      await invite();
      await accept(await inviteAdministrator());
      expect(await state()).toEqual({ roles: 1, accounts: 'Vail Ski Patrol', invitations: 'accepted' });
    });

    it('a restore after the removal gives the role to an administrator only', async () => {
      await accept((await invite()).link);
      expect(await call('restore-administrator', { email }, adminToken)).toMatchObject([
        404,
        { code: 'not_removed' },
      ]);
      expect(await state()).toMatchObject({ roles: 0 });
    });
  });

  it('does not open a role that the user got after the invitation', async () => {
    const { link } = await invite();
    await test.database.query(
      sql`insert into public.user_roles (user_id, role) select id, 'platform_admin' from auth.users where email = ${email}`,
    );
    const { bearer } = await open(link);
    const before = await test.fingerprint();
    expect(await setPassword(bearer)).toMatchObject({ status: 403 });
    expect(await test.fingerprint()).toBe(before);
    await test.database.query(
      sql`delete from public.user_roles r using auth.users u where u.id = r.user_id and u.email = ${email}`,
    );
  });

  it('is sent again to an invited person who requests a new password', async () => {
    const { id } = await invite();
    await auth('POST', '/recover', { body: { email } });
    const emails = await emailsTo(test, email);
    expect(emails).toHaveLength(2);
    expect(emails.at(-1)?.subject).toBe('You have been invited to Vail Ski Patrol on Lanternrock');
    await accept(await lastLink());
    expect(await state()).toMatchObject({ roles: 0, accounts: 'Vail Ski Patrol' });
    const deliveries = await test.database.query(
      sql`select kind, inviter_kind from private.deliveries where member_invitation_id = ${id} order by created_at`,
    );
    expect(deliveries).toEqual([
      { kind: 'member_invitation', inviter_kind: 'administrator' },
      { kind: 'member_invitation', inviter_kind: 'recipient' },
    ]);
  });

  describe('permissions', () => {
    const calls = (invitationId: string): readonly (readonly [string, object])[] => [
      ['account-member-invitations', { account_id: account }],
      ['invite-account-member', { account_id: account, email: `new-${email}`, full_name: 'New Person' }],
      ['resend-account-member-invitation', { invitation_id: invitationId }],
      // Without a mail server, no email delivers the link.
      ['create-account-member-invitation-link', { invitation_id: invitationId }],
      ['revoke-account-member-invitation', { invitation_id: invitationId }],
    ];

    it(
      'no user without the role can list, invite, resend, create a link or revoke',
      { tags: ['FN-01', 'X01'] },
      async () => {
        const { id } = await invite();
        const member = await test.createUser();
        await test.database.query(
          sql`insert into public.account_members (account_id, user_id) values (${account}, ${member.id})`,
        );
        const ended = await test.createUser({ isAdministrator: true });
        const plain = await test.createUser();
        const tokens = [];
        for (const user of [plain, member, ended]) tokens.push((await test.signIn(user)).access_token);
        await test.database.query(
          sql`update public.user_roles set ends_at = now() - interval '1 minute' where user_id = ${ended.id}`,
        );
        const before = await test.fingerprint();
        for (const [name, body] of calls(id)) {
          expect((await call(name, body, test.anonKey))[0], name).toBe(401);
          expect((await call(name, body, test.serviceRoleKey))[0], name).toBe(403);
          for (const token of tokens) expect((await call(name, body, token))[0], name).toBe(403);
        }
        expect(await test.fingerprint()).toBe(before);
      },
    );

    it('a new administrator can do all of it', async () => {
      const { id } = await invite();
      const young = await test.createUser({ isAdministrator: true, roleAgeHours: 1 });
      const token = (await test.signIn(young)).access_token;
      for (const [name, body] of calls(id))
        expect(await call(name, body, token), name).toMatchObject([200, {}]);
      expect(await state()).toMatchObject({ roles: 0, invitations: 'revoked' });
    });
  });
});
