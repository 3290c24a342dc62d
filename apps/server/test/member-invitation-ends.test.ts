/** Invitations of members with an end date: delayed emails, and inviters whose role ends. */
import type { InvitationResponse } from '@lanternrock/contract/invitations';
import type { MemberInvitationsResponse } from '@lanternrock/contract/member-invitations';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };
const hour = 3_600_000;

eachEngine('the end date of an invited membership', (engine) => {
  let fixture: EmailFixture;
  let account: string;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { settings: { MAILS_PER_HOUR: '12' }, sendTimeoutMs: 5000 });
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
  it('a delayed email extends no link beyond the end date, and is not sent after it', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    const start = Date.now();
    const end = new Date(start + 2 * hour).toISOString();
    await invited({ ends_at: end, terms: { expires_in: 3600 } });
    fixture.clock.ahead = 1.5 * hour;
    fixture.mailServer.behavior = { kind: 'accept' };
    await fixture.outbox.idle();
    expect((await list()).invitations).toMatchObject([
      { ends_at: end, expires_at: end, email_status: 'handed_over' },
    ]);
    const links = await fixture.database.query<{ expires_at: Date }>(
      sql`select expires_at from private.member_invitation_tokens`,
    );
    expect(links.map(({ expires_at }) => expires_at.toISOString())).toEqual([end]);
  });

  it.each([[undefined], [{ expires_in: 3600 }]])(
    'sends no email after the end date, with the terms %j',
    async (terms) => {
      fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
      const end = new Date(Date.now() + 2 * hour).toISOString();
      await invited({ ends_at: end, terms });
      const [before] = await fixture.database.query(sql`select expires_at from private.member_invitations`);
      fixture.clock.ahead = 3 * hour;
      fixture.mailServer.behavior = { kind: 'accept' };
      const sent = fixture.mailServer.messages.length;
      await fixture.outbox.idle();
      expect(fixture.mailServer.messages).toHaveLength(sent);
      expect(await fixture.database.query(sql`select expires_at from private.member_invitations`)).toEqual([
        before,
      ]);
      expect(
        await fixture.database.query(
          sql`select status from private.deliveries where kind = 'member_invitation'`,
        ),
      ).toEqual([{ status: 'refused' }]);
    },
  );

  it('rejects a membership that outlasts the role of the inviter', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 550 };
    const { invitation_id: id } = await invited({ email: 'first@example.org' });
    fixture.mailServer.behavior = { kind: 'accept' };
    await fixture.database.query(sql`alter table public.user_roles disable trigger user`);
    await fixture.database.query(sql`update public.user_roles set ends_at = now() + interval '1 day'`);
    try {
      for (const ends_at of [undefined, new Date(Date.now() + 25 * hour).toISOString()])
        await expectRejection(() => invite({ ends_at }), [403, 'membership_outlasts_role']);
      for (const name of ['resend-account-member-invitation', 'create-account-member-invitation-link'])
        await expectRejection(() => post(name, { invitation_id: id }), [403, 'membership_outlasts_role']);
      await invited({ ends_at: new Date(Date.now() + 23 * hour).toISOString() });
      expect((await revoke(id)).status).toBe(200);
    } finally {
      await fixture.database.query(sql`update public.user_roles set ends_at = null`);
      await fixture.database.query(sql`alter table public.user_roles enable trigger user`);
    }
  });
});
