/** Members of an account: list, add, suspend, remove, undo. */
import type { AccountMembersResponse, MemberChangeResponse } from '@lanternrock/contract/account-members';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('members of an account', (engine) => {
  let fixture: AdminFixture;
  let account: string;
  let ann: string;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    account = await createAccount('Vail');
    ann = await fixture.createUser({ email: 'ann@example.org' });
  });

  const createAccount = async (name: string): Promise<string> => {
    const [row] = await fixture.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type) values (${name}, 'a', 'enterprise') returning id`,
    );
    return row?.id ?? '';
  };
  const post = (name: string, body: object, as: string | undefined = fixture.admin): Promise<Response> =>
    fixture.call({ account_id: account, ...body }, as, undefined, name);
  const change = async (name: string, body: object): Promise<MemberChangeResponse> => {
    const response = await post(name, body);
    if (response.status !== 200) throw new Error(await response.text());
    return (await response.json()) as MemberChangeResponse;
  };
  const rejection = async (response: Response): Promise<unknown[]> => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ];
  const list = async (after?: object): Promise<AccountMembersResponse> =>
    (await (await post('account-members', { after })).json()) as AccountMembersResponse;
  /** Memberships and the stored count. */
  const stored = async (): Promise<unknown> =>
    fixture.database.query(
      sql`select a.active_members, coalesce(jsonb_agg(m order by m.id) filter (where m.id is not null), '[]') as members
          from public.accounts a left join public.account_members m on m.account_id = a.id
          where a.id = ${account} group by a.id`,
    );

  it('adds a user by email, in any case', async () => {
    const added = await change('add-account-member', { email: ' Ann@Example.org ' });
    expect(added).toMatchObject({
      active_members: 1,
      member: { user_id: ann, email: 'ann@example.org', status: 'active', other_accounts: [] },
    });
    expect((await list()).members).toEqual([added.member]);
    expect(await rejection(await post('add-account-member', { email: 'ann@example.org' }))).toEqual([
      409,
      'already_member',
    ]);
    expect((await list()).active_members).toBe(1);
  });

  it('gives one response for unknown, unconfirmed and blocked users', async () => {
    await fixture.database.query(
      sql`insert into auth.users (email, encrypted_password, banned_until, email_confirmed_at) values
        ('open@example.org', 'x', null, null), ('gone@example.org', 'x', now() + interval '1 year', now())`,
    );
    const before = await stored();
    for (const email of ['open@example.org', 'gone@example.org', 'none@example.org']) {
      const response = await post('add-account-member', { email });
      expect([response.status, await response.json()]).toEqual([
        404,
        {
          code: 'no_user',
          error: `No user with the email address ${email} can sign in. Check the address, or invite the person as a member.`,
        },
      ]);
    }
    expect(await stored()).toEqual(before);
  });

  it('suspends, reactivates and removes', async () => {
    await change('add-account-member', { email: 'ann@example.org' });
    const suspended = await change('set-account-member', { user_id: ann, status: 'suspended' });
    expect(suspended).toMatchObject({ active_members: 0, member: { status: 'suspended' } });
    expect(await change('set-account-member', { user_id: ann, status: 'suspended' })).toMatchObject({
      change: null,
    });
    expect(await change('set-account-member', { user_id: ann, status: 'active' })).toMatchObject({
      active_members: 1,
    });
    expect(await change('remove-account-member', { user_id: ann })).toMatchObject({
      active_members: 0,
      member: null,
    });
    for (const name of ['set-account-member', 'remove-account-member']) {
      expect(await rejection(await post(name, { user_id: ann, status: 'active' }))).toEqual([
        404,
        'no_member',
      ]);
    }
    expect(await list()).toEqual({ members: [], next: null, active_members: 0 });
  });

  it('undoes each change, with ID, status and date', async () => {
    const states = [await stored()];
    const added = await change('add-account-member', { email: 'ann@example.org' });
    await fixture.database.query(
      sql`update public.account_members set created_at = '2025-01-02T03:04:05.678901Z', status = 'trial'`,
    );
    expect(await rejection(await post('undo-account-member', { change: added.change }))).toEqual([
      409,
      'not_undoable',
    ]);
    states.push(await stored());
    const suspended = await change('set-account-member', { user_id: ann, status: 'suspended' });
    expect(await change('undo-account-member', { change: suspended.change })).toMatchObject({
      member: { status: 'trial' },
    });
    expect(await stored()).toEqual(states[1]);
    const removed = await change('remove-account-member', { user_id: ann });
    expect(await change('undo-account-member', { change: removed.change })).toMatchObject({
      member: { status: 'trial', created_at: '2025-01-02T03:04:05.678901+00:00' },
    });
    expect(await stored()).toEqual(states[1]);
    await change('remove-account-member', { user_id: ann });
    const again = await change('add-account-member', { email: 'ann@example.org' });
    expect(await change('undo-account-member', { change: again.change })).toMatchObject({
      active_members: 0,
    });
    expect(await stored()).toEqual(states[0]);
  });

  it('undoes no change of another administrator, account or table, and none twice', async () => {
    await change('add-account-member', { email: 'ann@example.org' });
    const removed = await change('remove-account-member', { user_id: ann });
    const before = await stored();
    const other = await fixture.createUser({ administrator: true });
    const elsewhere = await createAccount('Elsewhere');
    const [entry] = await fixture.database.query<{ id: string }>(
      sql`select max(id)::text as id from private.audit_log where table_name = 'public.accounts'`,
    );
    for (const response of [
      await post('undo-account-member', { change: removed.change }, other),
      await post('undo-account-member', { change: removed.change, account_id: elsewhere }),
      await post('undo-account-member', { change: entry?.id }),
      await post('undo-account-member', { change: '999999999999999999' }),
    ])
      expect(await rejection(response)).toEqual([409, 'not_undoable']);
    expect(await stored()).toEqual(before);
    await change('undo-account-member', { change: removed.change });
    expect(await rejection(await post('undo-account-member', { change: removed.change }))).toEqual([
      409,
      'not_undoable',
    ]);
    await change('remove-account-member', { user_id: ann });
    await fixture.database.query(sql`delete from auth.users where id = ${ann}`);
    expect((await list()).members).toEqual([]);
  });

  it('lists other accounts of a member, and thousands of members page by page', async () => {
    await change('add-account-member', { email: 'ann@example.org' });
    for (const name of ['F', 'E', 'D', 'C', 'B', 'A'])
      await fixture.database.query(
        sql`insert into public.account_members (account_id, user_id) values (${await createAccount(name)}, ${ann})`,
      );
    const [member] = (await list()).members;
    expect(member?.other_accounts.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(member?.other_accounts_total).toBe(6);
    await fixture.database.query(
      sql`with added as (
            insert into auth.users (email) select 'u' || n || '@example.org' from generate_series(1, 2000) n returning id)
          insert into public.account_members (account_id, user_id, created_at)
            select ${account}, id, now() - interval '1 day' * (row_number() over () / 3) from added`,
    );
    const seen = new Set<string>();
    let page = await list();
    for (; page.next !== null; page = await list(page.next)) for (const { id } of page.members) seen.add(id);
    for (const { id } of page.members) seen.add(id);
    expect([seen.size, page.active_members]).toEqual([2001, 2001]);
  });

  it('two administrators add the same user concurrently', async () => {
    const responses = await Promise.all(
      [1, 2, 3].map(() => post('add-account-member', { email: 'ann@example.org' })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await list()).active_members).toBe(1);
  });

  it('is for administrators only, and checks its input', async () => {
    const outsider = await fixture.createUser();
    const before = await stored();
    for (const name of [
      'account-members',
      'add-account-member',
      'set-account-member',
      'remove-account-member',
      'undo-account-member',
    ]) {
      expect(
        (await post(name, { email: 'ann@example.org', user_id: ann, status: 'active' }, outsider)).status,
      ).toBe(403);
      expect((await fixture.call({}, undefined, undefined, name)).status).toBe(401);
      expect(await rejection(await post(name, { account_id: 'x' }))).toEqual([400, 'validation_failed']);
    }
    for (const [name, body] of [
      ['add-account-member', { email: 'no address' }],
      ['set-account-member', { user_id: ann, status: 'owner' }],
      ['undo-account-member', { change: '1 or 1=1' }],
      ['account-members', { after: { created_at: 'x', id: ann } }],
    ] as const)
      expect(await rejection(await post(name, body))).toEqual([400, 'validation_failed']);
    const missing = { account_id: ann, email: 'ann@example.org' };
    for (const name of ['account-members', 'add-account-member'])
      expect(await rejection(await post(name, missing))).toEqual([404, 'account_not_found']);
    expect(await stored()).toEqual(before);
  });
});
