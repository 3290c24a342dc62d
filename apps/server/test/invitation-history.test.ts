/** The email history of an invitation and its link, as an administrator can read them. */
import type { InvitationHistory, InvitationLinkResponse } from '@lanternrock/contract/invitations';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { findInvitationByToken } from '../src/invitations/invitation-tokens.ts';
import { eachEngine } from './support/engines.ts';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

eachEngine('history of an invitation', (engine) => {
  let bench: EmailFixture;
  beforeAll(async () => {
    bench = await openEmailFixture(engine);
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const invite = async (): Promise<string> => {
    const answer = (await (await bench.call(ann, bench.admin)).json()) as { invitation_id: string };
    return answer.invitation_id;
  };
  const call = async (name: string, body: unknown, as: string | undefined = bench.admin) => {
    const answer = await bench.call(body, as, undefined, name);
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  const history = async (id: string): Promise<InvitationHistory> => {
    const { status, body } = await call('invitation-history', { invitation_id: id });
    expect(status).toBe(200);
    return body as InvitationHistory;
  };
  const link = (email: string = ann.email) => call('create-invitation-link', { email });

  it('lists each email with the response of the mail server, newest first, without tokens', async () => {
    bench.mailServer.mood = { kind: 'refuse message', code: 554 };
    const id = await invite();
    bench.mailServer.mood = { kind: 'silent' };
    await invite();
    bench.mailServer.mood = { kind: 'take' };
    await invite();
    const read = await history(id);
    expect(read.mails.map(({ status }) => status)).toEqual(['handed_over', 'timed_out', 'refused']);
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
      'status',
    ]);
    expect(JSON.stringify(read)).not.toContain('token');
  });

  it('counts the cooldown down', async () => {
    const id = await invite();
    await invite();
    const { resend_in: left } = await history(id);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(30);
    bench.clock.ahead += 31_000;
    expect((await history(id)).resend_in).toBe(0);
  });

  it('returns the link when the email was rejected, and it opens the invitation', async () => {
    bench.mailServer.mood = { kind: 'refuse message', code: 554 };
    const id = await invite();
    expect((await history(id)).link_allowed).toBe(true);
    const { status, body } = await link(' ANN@example.org ');
    expect(status).toBe(200);
    const { link: address } = body as InvitationLinkResponse;
    const token = new URL(address).searchParams.get('token_hash') ?? '';
    const live = await findInvitationByToken(bench.database, token, new Date());
    expect(live).toMatchObject({ invitationId: id, email: ann.email });
    expect(bench.logged()).not.toContain(token);
    const [audit] = await bench.database.query(
      sql`select actor from private.audit_log where table_name = 'private.invitations' order by id desc limit 1`,
    );
    expect(audit).toEqual({ actor: bench.admin });
  });

  it('returns no link after a delivered email, after a revocation, and for a user with a password', async () => {
    const refused = async (code: string, status: number): Promise<void> => {
      const before = await invitationTables(bench.database);
      expect(await link()).toMatchObject({ status, body: { code } });
      expect(await invitationTables(bench.database)).toBe(before);
    };
    await refused('no_open_invitation', 404);
    await invite();
    await refused('link_not_allowed', 409);
    bench.mailServer.mood = { kind: 'refuse message', code: 554 };
    await invite();
    await bench.database.query(
      sql`update auth.users set encrypted_password = 'own' where email = ${ann.email}`,
    );
    await refused('link_not_allowed', 409);
    await call('revoke-user-invitation', { email: ann.email });
    await refused('no_open_invitation', 404);
  });

  it('X01 allows platform administrators only and rejects an invalid ID or email address', async () => {
    bench.mailServer.mood = { kind: 'refuse message', code: 554 };
    const id = await invite();
    const member = await bench.person({ email: 'member@example.org' });
    const before = await invitationTables(bench.database);
    const calls = [
      ['invitation-history', { invitation_id: id }],
      ['create-invitation-link', { email: ann.email }],
    ] as const;
    for (const [name, body] of calls) {
      expect(await call(name, body, member)).toMatchObject({
        status: 403,
        body: { code: 'not_platform_admin' },
      });
      expect((await bench.call(body, undefined, undefined, name)).status).toBe(401);
      expect((await call(name, { invitation_id: 'x', email: 'x' })).status).toBe(400);
    }
    expect((await call('invitation-history', { invitation_id: member })).status).toBe(404);
    expect(await invitationTables(bench.database)).toBe(before);
  });
});
