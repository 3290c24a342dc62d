/** Queued emails of invitations: sent, replaced and given up. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

eachEngine('queued invitation emails', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { sendTimeoutMs: 2000 });
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const deliveries = (): Promise<Record<string, unknown>[]> =>
    fixture.database.query(
      sql`select status, answer, sealed is null as dropped, tries from private.deliveries order by created_at`,
    );

  it('sends a queued invitation only while it is open and was not sent again, with a link that is still valid', async () => {
    const invite = async (email: string): Promise<void> => {
      const response = await fixture.call({ ...ann, email }, fixture.admin);
      expect(await response.json()).toMatchObject({ success: false, retry_at: expect.any(String) });
    };
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    for (const name of ['again', 'revoked', 'accepted', 'old']) await invite(`${name}@example.org`);
    await fixture.call({ email: 'revoked@example.org' }, fixture.admin, undefined, 'revoke-user-invitation');
    await fixture.database.query(
      sql`update private.invitations set status = 'accepted' where email = 'accepted@example.org'`,
    );
    await fixture.database.query(
      sql`update private.invitations set expires_at = now() + interval '1 hour' where email = 'old@example.org'`,
    );
    await fixture.database.query(
      sql`update private.invitation_tokens t set created_at = now() - interval '4 days', expires_at = i.expires_at
          from private.invitations i where i.id = t.invitation_id and i.email = 'old@example.org'`,
    );
    // The quota counts the attempts.
    await fixture.database.query(
      sql`update private.deliveries set attempted_at = now() - interval '2 hours'`,
    );
    fixture.mailServer.behavior = { kind: 'accept' };
    expect(
      await (await fixture.call({ ...ann, email: 'again@example.org' }, fixture.admin)).json(),
    ).toMatchObject({
      success: true,
    });
    fixture.clock.ahead = 35_000;
    await fixture.outbox.idle();
    expect(fixture.mailServer.messages.map(({ to }) => to[0])).toEqual([
      'again@example.org',
      'old@example.org',
    ]);
    const answers = await fixture.database.query<{ answer: string; status: string; dropped: boolean }>(
      sql`select answer, status, sealed is null as dropped from private.deliveries order by answer`,
    );
    expect(answers.every(({ dropped }) => dropped)).toBe(true);
    // No mail server has the emails that were not sent.
    expect(answers.map(({ status }) => status)).toEqual([
      'handed_over',
      'handed_over',
      'refused',
      'refused',
      'refused',
    ]);
    expect(answers.map(({ answer }) => answer.replace(/^(250|450) .*?(?=$| - A newer)/, '$1'))).toEqual([
      '250',
      '250',
      '450 - A newer email replaced this one.',
      'The invitation is no longer pending.',
      'The invitation was revoked.',
    ]);
    const [old] = await fixture.database.query<{ days: number }>(
      sql`select extract(epoch from least(i.expires_at, t.expires_at) - now())::float8 / 86400 as days
          from private.invitations i join private.invitation_tokens t on t.invitation_id = i.id
          where i.email = 'old@example.org'`,
    );
    expect(old?.days).toBeGreaterThan(6.9);
  });

  it('keeps the result of an email that is being sent when its invitation is revoked', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    await fixture.call(ann, fixture.admin);
    fixture.mailServer.behavior = { kind: 'no response' };
    fixture.clock.ahead = 31_000;
    const sending = fixture.outbox.idle();
    await fixture.mailServer.arrived(1);
    const revoked = await fixture.call(
      { email: ann.email },
      fixture.admin,
      undefined,
      'revoke-user-invitation',
    );
    expect(revoked.status).toBe(200);
    expect(await deliveries()).toMatchObject([{ status: 'waiting', answer: expect.stringMatching(/^450 /) }]);
    await sending;
    fixture.clock.ahead = 10 * 60_000;
    await fixture.outbox.idle();
    expect(await deliveries()).toMatchObject([
      { status: 'refused', answer: 'The invitation is no longer pending.', tries: 3, dropped: true },
    ]);
  });

  it('replaces a queued email by a shared link', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    await fixture.call(ann, fixture.admin);
    const link = await fixture.call({ email: ann.email }, fixture.admin, undefined, 'create-invitation-link');
    expect(link.status).toBe(200);
    expect(await deliveries()).toMatchObject([
      { status: 'refused', answer: expect.stringMatching(/^450 .* - A shared link replaced this email\.$/) },
    ]);
  });
});
