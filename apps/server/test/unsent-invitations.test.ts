/** Unsent invitations, which the Admins screen offers to resend. */
import type { UnsentInvitations } from '@lanternrock/contract/invitations';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from './support/engines.ts';
import { invitationTables, openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

const people = ['ann', 'bo', 'cy', 'di'].map((name) => ({
  email: `${name}@example.org`,
  full_name: `${name} Lee`,
}));

eachEngine('unsent invitations', (engine) => {
  let bench: EmailFixture;
  beforeAll(async () => {
    bench = await openEmailFixture(engine, { sendTimeoutMs: 10_000 });
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.reset());

  const read = (as: string | undefined = bench.admin): Promise<Response> =>
    bench.call({}, as, undefined, 'unsent-invitations');
  const unsent = async (): Promise<readonly (readonly [string, string | null])[]> => {
    const { invitations } = (await (await read()).json()) as UnsentInvitations;
    return invitations.map(({ email, answer }) => [email, answer] as const);
  };

  it('REL-08 lists rejected, timed out and abandoned emails, and no other invitation', async () => {
    const [ann, bo, cy, di] = people;
    await bench.call(ann, bench.admin);
    bench.mailServer.mood = { kind: 'refuse message', code: 554 };
    await bench.call(bo, bench.admin);
    await bench.call(cy, bench.admin);
    await bench.invitations.createLink({ email: 'link@example.org', fullName: 'By Link' });
    expect(await unsent()).toEqual([
      ['bo@example.org', expect.stringContaining('not today')],
      ['cy@example.org', expect.stringContaining('not today')],
    ]);
    bench.mailServer.mood = { kind: 'take' };
    await bench.call(bo, bench.admin);
    await bench.call({ email: cy?.email }, bench.admin, undefined, 'revoke-user-invitation');
    // A process that is killed while it sends leaves a lease and no result.
    await bench.call(di, bench.admin);
    await bench.database.query(
      sql`update private.deliveries set status = 'waiting', finished_at = null, answer = null, sealed = '',
            lease_until = now() + interval '30 seconds' where recipient = ${di?.email}`,
    );
    expect(await unsent()).toEqual([]);
    bench.clock.ahead = 31_000;
    expect(await unsent()).toEqual([[di?.email, null]]);
  });

  it('FN-01 is for administrators, and reads only', async () => {
    bench.mailServer.mood = { kind: 'refuse message', code: 554 };
    await bench.call(people[0], bench.admin);
    const stranger = await bench.person();
    const before = await invitationTables(bench.database);
    expect((await read(stranger)).status).toBe(403);
    expect((await bench.call({}, undefined, undefined, 'unsent-invitations')).status).toBe(401);
    expect((await read()).status).toBe(200);
    expect(await invitationTables(bench.database)).toBe(before);
  });
});
