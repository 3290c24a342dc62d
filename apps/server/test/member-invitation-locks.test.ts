/** Locks of invitations of members and of their emails, on a server with several connections. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openEmailFixture, type EmailFixture } from './support/invitation-fixture.ts';

let fixture: EmailFixture;
beforeAll(async () => {
  fixture = await openEmailFixture('postgres');
});
afterAll(() => fixture.close());

const waitsForLock = async (count: number): Promise<void> => {
  await expect
    .poll(() =>
      fixture.database.query(
        sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    )
    .toHaveLength(count);
};

it('a further invitation and the email of the expired one do not wait for each other', async () => {
  const [account] = await fixture.database.query<{ id: string }>(
    sql`insert into public.accounts (name, slug, account_type) values ('Vail Ski Patrol', 'a', 'enterprise') returning id`,
  );
  const invite = () =>
    fixture.call(
      {
        account_id: account?.id,
        email: 'ann@example.org',
        full_name: 'Ann Lee',
        terms: { expires_in: 3600 },
      },
      fixture.admin,
      undefined,
      'invite-account-member',
    );
  fixture.mailServer.behavior = { kind: 'reject recipient', code: 450 };
  expect(await (await invite()).json()).toMatchObject({ success: false, retry_at: expect.any(String) });
  fixture.mailServer.behavior = { kind: 'accept' };
  fixture.clock.ahead = 2 * 3_600_000;

  // Both wait for the email, the worker first.
  const { sending, inviting } = await fixture.database.transaction(async (tx) => {
    await tx.query(sql`select from private.deliveries for update`);
    const worker = fixture.outbox.idle();
    await waitsForLock(1);
    const request = invite();
    await waitsForLock(2);
    return { sending: { done: worker }, inviting: { done: request } };
  });
  await sending.done;
  // The worker has renewed the invitation, and has sent its email.
  expect(await (await inviting.done).json()).toMatchObject({ code: 'already_invited' });
  expect(fixture.logged()).not.toContain('delivery worker failed');
  expect(
    await fixture.database.query(sql`select status from private.deliveries where kind = 'member_invitation'`),
  ).toEqual([{ status: 'handed_over' }]);
});
