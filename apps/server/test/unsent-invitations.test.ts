/** Unsent invitations, which the Admins screen offers to resend. */
import type { UnsentInvitations } from '@lanternrock/contract/invitations';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';
import { asService } from '../src/administrators/email-action.ts';

const users = ['ann', 'bo', 'cy', 'di'].map((name) => ({
  email: `${name}@example.org`,
  full_name: `${name} Lee`,
}));

eachEngine('unsent invitations', (engine) => {
  let fixture: EmailFixture;
  beforeAll(async () => {
    fixture = await openEmailFixture(engine, { sendTimeoutMs: 10_000 });
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const read = (as: string | undefined = fixture.admin): Promise<Response> =>
    fixture.call({}, as, undefined, 'unsent-invitations');
  const unsent = async (): Promise<readonly (readonly [string, string, string | null])[]> => {
    const { invitations } = (await (await read()).json()) as UnsentInvitations;
    return invitations.map(({ email, status, answer }) => [email, status, answer] as const);
  };

  it(
    'lists rejected, timed out and abandoned emails, and no other invitation',
    { tags: ['REL-08'] },
    async () => {
      const [ann, bo, cy, di] = users;
      await fixture.call(ann, fixture.admin);
      fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
      await fixture.call(bo, fixture.admin);
      await fixture.call(cy, fixture.admin);
      await fixture.invitations.createLink({
        authorize: asService,
        email: 'link@example.org',
        fullName: 'By Link',
      });
      expect(await unsent()).toEqual([
        ['bo@example.org', 'refused', expect.stringContaining('not today')],
        ['cy@example.org', 'refused', expect.stringContaining('not today')],
      ]);
      fixture.mailServer.behavior = { kind: 'accept' };
      await fixture.call(bo, fixture.admin);
      await fixture.call({ email: cy?.email }, fixture.admin, undefined, 'revoke-user-invitation');
      // A process that is killed while it sends leaves a lease and no result.
      await fixture.call(di, fixture.admin);
      await fixture.database.query(
        sql`update private.deliveries set status = 'waiting', finished_at = null, answer = null, sealed = '',
            lease_until = now() + interval '30 seconds' where recipient = ${di?.email}`,
      );
      expect(await unsent()).toEqual([]);
      fixture.clock.ahead = 31_000;
      expect(await unsent()).toEqual([[di?.email, 'waiting', null]]);
      await fixture.outbox.idle();
      expect(await unsent()).toEqual([[di?.email, 'timed_out', expect.stringContaining('stopped')]]);
    },
  );

  it('lists no invitation whose queued email was replaced by a shared link', async () => {
    fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
    await fixture.call(users[0], fixture.admin);
    const link = await fixture.call(
      { email: users[0]?.email },
      fixture.admin,
      undefined,
      'create-invitation-link',
    );
    expect(link.status).toBe(200);
    expect(await unsent()).toEqual([]);
  });

  it('is for administrators, and reads only', { tags: ['FN-01'] }, async () => {
    fixture.mailServer.behavior = { kind: 'reject message', code: 554 };
    await fixture.call(users[0], fixture.admin);
    const otherUser = await fixture.createUser();
    const before = await invitationTables(fixture.database);
    expect((await read(otherUser)).status).toBe(403);
    expect((await fixture.call({}, undefined, undefined, 'unsent-invitations')).status).toBe(401);
    expect((await read()).status).toBe(200);
    expect(await invitationTables(fixture.database)).toBe(before);
  });
});
