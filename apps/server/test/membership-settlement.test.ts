/** The settlement of many memberships that have ended, and of some that other transactions have locked. */
import { randomUUID } from 'node:crypto';
import { sql } from '@lanternrock/postgres';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { endMemberships } from '../src/accounts/membership-ends.ts';

eachEngine('the settlement of memberships', (engine) => {
  let test: TestDatabase;
  let account: string;
  let other: string;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(() => test.dispose());
  beforeEach(async () => {
    [account, other] = [await createAccount(), await createAccount()];
  });

  const createAccount = async (): Promise<string> => {
    const id = randomUUID();
    await test.database.query(
      sql`insert into public.accounts (id, name, slug, account_type) values (${id}, 'Vail', 'a', 'enterprise')`,
    );
    return id;
  };
  /** Adds members whose membership has ended and is not settled. */
  const addEnded = async (accountId: string, count: number): Promise<void> => {
    await test.database.query(
      sql`with users as (
          insert into auth.users (email)
            select gen_random_uuid() || '@example.org' from generate_series(1, ${count}::int) returning id
        ) insert into public.account_members (account_id, user_id, ends_at)
          select ${accountId}, id, now() - interval '1 second' from users`,
    );
  };
  const countActive = async (accountId: string): Promise<number | undefined> => {
    const [row] = await test.database.query<{ active_members: number }>(
      sql`select active_members from public.accounts where id = ${accountId}`,
    );
    return row?.active_members;
  };

  it('ends many in several transactions', { timeout: 120_000 }, async () => {
    await addEnded(account, 2500);
    expect(await countActive(account)).toBe(2500);
    await endMemberships(test.database);
    const recorded = await test.database.query(
      sql`select count(*)::int as memberships from private.audit_log
          where table_name = 'public.account_members' and after ->> 'status' = 'ended'
            and after ->> 'account_id' = ${account} group by at order by at`,
    );
    expect(recorded).toEqual([1000, 1000, 500].map((memberships) => ({ memberships })));
    expect(await countActive(account)).toBe(0);
  });

  it.runIf(engine === 'postgres')('waits for no other transaction', async () => {
    await addEnded(account, 2);
    await addEnded(other, 1);
    await test.database.transaction(async (tx) => {
      await tx.query(sql`select from public.accounts where id = ${account} for no key update`);
      await endMemberships(test.database);
      expect([await countActive(account), await countActive(other)]).toEqual([2, 0]);
    });
    await test.database.transaction(async (tx) => {
      await tx.query(
        sql`select from auth.users u join public.account_members m on m.user_id = u.id
            where m.account_id = ${account} order by u.id limit 1 for no key update of u`,
      );
      await endMemberships(test.database);
      expect(await countActive(account)).toBe(1);
    });
    await endMemberships(test.database);
    expect(await countActive(account)).toBe(0);
  });
});
