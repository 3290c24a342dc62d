/** The email history of an invitation and its link, as an administrator can read them. */
import type { InvitationHistory, InvitationLinkResponse } from '@lanternrock/contract/invitations';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { hashLinkToken } from '../../../packages/auth/src/one-time-tokens/one-time-tokens.ts';
import { findInvitationByToken } from '../src/invitations/invitation-tokens.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

eachEngine('history of an invitation', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const invite = async (): Promise<string> => {
    const response = (await (await fixture.call(ann, fixture.admin)).json()) as { invitation_id: string };
    return response.invitation_id;
  };
  const call = async (name: string, body: unknown, as: string | undefined = fixture.admin) => {
    const response = await fixture.call(body, as, undefined, name);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  const history = async (id: string): Promise<InvitationHistory> => {
    const { status, body } = await call('invitation-history', { invitation_id: id });
    expect(status).toBe(200);
    return body as InvitationHistory;
  };
  const link = (email: string = ann.email) => call('create-invitation-link', { email });

  it('lists each email with the response of the mail server, newest first, without tokens', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    const id = await invite();
    fixture.mailServer.behavior = { kind: 'no response' };
    await invite();
    fixture.mailServer.behavior = { kind: 'accept' };
    await invite();
    const read = await history(id);
    expect(read.mails.map(({ status }) => status)).toEqual(['handed_over', 'refused', 'refused']);
    expect(read.mails[1]?.answer).toMatch(/did not respond within .* - A newer email replaced this one\.$/);
    expect(read.mails[2]?.answer).toContain('not today');
    expect(read).toMatchObject({
      opened_at: null,
      opened_by_program_at: null,
      accepted_at: null,
      resend_in: 0,
      link_allowed: false,
    });
    expect(Object.keys(read.mails[0] ?? {}).sort()).toEqual([
      'answer',
      'created_at',
      'finished_at',
      'id',
      'inviter',
      'next_attempt_at',
      'status',
    ]);
    expect(JSON.stringify(read)).not.toContain('token');
  });

  it('lists the events of the invitation, newest first, with the administrator', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    const id = await invite();
    expect((await history(id)).events).toEqual([]);
    const { body } = await link();
    await call('revoke-user-invitation', { email: ann.email });
    await fixture.database.query(
      sql`update private.invitations set status = 'accepted', accepted_at = now() where id = ${id}`,
    );
    for (const status of ['removed', 'accepted', 'ended', 'accepted'])
      await fixture.database.query(sql`update private.invitations set status = ${status} where id = ${id}`);
    const read = await history(id);
    const administrator = 'administrator@example.org';
    expect(read.events?.map(({ event, actor }) => [event, actor])).toEqual([
      ['extended', null],
      ['ended', null],
      ['restored', null],
      ['removed', null],
      ['revoked', administrator],
      ['link_created', administrator],
    ]);
    const times = read.events?.map(({ at }) => Date.parse(at)) ?? [];
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const token = new URL((body as InvitationLinkResponse).link).searchParams.get('token_hash') ?? '';
    expect(JSON.stringify(read)).not.toContain(token);
    // The events of another invitation are not part of it.
    await fixture.call({ email: 'bo@example.org', full_name: 'Bo Ek' }, fixture.admin);
    expect((await link('bo@example.org')).status).toBe(200);
    expect((await history(id)).events).toHaveLength(6);
  });

  it('counts the cooldown down', async () => {
    const id = await invite();
    await invite();
    const { resend_in: left } = await history(id);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(30);
    fixture.clock.ahead += 31_000;
    expect((await history(id)).resend_in).toBe(0);
  });

  it('returns the link when the email was rejected, and it opens the invitation', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    const id = await invite();
    expect((await history(id)).link_allowed).toBe(true);
    const { status, body } = await link(' ANN@example.org ');
    expect(status).toBe(200);
    const { link: url } = body as InvitationLinkResponse;
    const token = new URL(url).searchParams.get('token_hash') ?? '';
    const live = await findInvitationByToken(fixture.database, 'invitation', {
      tokenHash: hashLinkToken(token),
      now: new Date(),
    });
    expect(live).toMatchObject({ id, isExpired: false, email: ann.email });
    expect(fixture.logged()).not.toContain(token);
    const [audit] = await fixture.database.query(
      sql`select actor from private.audit_log where table_name = 'private.invitations' order by id desc limit 1`,
    );
    expect(audit).toEqual({ actor: fixture.admin });
  });

  it('returns no link after a delivered email, after a revocation, and for a user who can sign in', async () => {
    const rejected = async (code: string, status: number): Promise<void> => {
      const before = await invitationTables(fixture.database);
      expect(await link()).toMatchObject({ status, body: { code } });
      expect(await invitationTables(fixture.database)).toBe(before);
    };
    await rejected('no_open_invitation', 404);
    await invite();
    await rejected('link_not_allowed', 409);
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    await invite();
    for (const [add, remove] of [
      [
        sql`update auth.users set encrypted_password = 'own' where email = ${ann.email}`,
        sql`update auth.users set encrypted_password = null where email = ${ann.email}`,
      ],
      [
        sql`insert into auth.webauthn_credentials (user_id, credential_id, public_key)
              select id, 'own', '' from auth.users where email = ${ann.email}`,
        sql`delete from auth.webauthn_credentials`,
      ],
      [
        sql`insert into auth.identities (user_id, provider, provider_id, identity_data)
              select id, 'google', 'own', '{}' from auth.users where email = ${ann.email}`,
        sql`delete from auth.identities where provider = 'google'`,
      ],
    ] as const) {
      await fixture.database.query(add);
      await rejected('link_not_allowed', 409);
      await fixture.database.query(remove);
    }
    await call('revoke-user-invitation', { email: ann.email });
    await rejected('no_open_invitation', 404);
  });

  it('stores the outcome of an email that the worker sends while its invitation is revoked', async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 451 };
    const id = await invite();
    fixture.mailServer.behavior = { kind: 'accept later', delayMs: 1000 };
    fixture.clock.ahead = 31_000;
    const sent = fixture.outbox.idle();
    await fixture.mailServer.arrived(2);
    expect(await call('revoke-user-invitation', { email: ann.email })).toMatchObject({ status: 200 });
    await sent;
    expect((await history(id)).mails).toMatchObject([
      { status: 'handed_over', answer: expect.stringMatching(/^250 /) },
    ]);
    expect(await fixture.database.query(sql`select status, send_count from private.invitations`)).toEqual([
      { status: 'revoked', send_count: 1 },
    ]);
  });

  it(
    'allows platform administrators only and rejects an invalid ID or email address',
    { tags: ['X01'] },
    async () => {
      fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
      const id = await invite();
      const member = await fixture.createUser({ email: 'member@example.org' });
      const before = await invitationTables(fixture.database);
      const calls = [
        ['invitation-history', { invitation_id: id }],
        ['create-invitation-link', { email: ann.email }],
      ] as const;
      for (const [name, body] of calls) {
        expect(await call(name, body, member)).toMatchObject({
          status: 403,
          body: { code: 'not_platform_admin' },
        });
        expect((await fixture.call(body, undefined, undefined, name)).status).toBe(401);
        expect((await call(name, { invitation_id: 'x', email: 'x' })).status).toBe(400);
      }
      expect((await call('invitation-history', { invitation_id: member })).status).toBe(404);
      expect(await invitationTables(fixture.database)).toBe(before);
    },
  );
});
