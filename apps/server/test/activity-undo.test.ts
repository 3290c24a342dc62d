/** Undos in the activity: both entries name each other, and an entry is undone once, on both databases. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountContactsResponse } from '@lanternrock/contract/account-contacts';
import type { ActivityGroup, ActivityResponse } from '@lanternrock/contract/activity';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { type ChainLink, chainStart, findChainProblem } from '../src/audit/chain-hash.ts';
import { tryParseLinkLine } from '../src/audit/export-chain.ts';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('undos in the activity', (engine) => {
  let fixture: AdminFixture;
  let account: string;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.maintenance((tx) =>
      fixture.database.script(
        tx,
        'truncate private.audit_log; truncate private.account_imports cascade; truncate public.accounts cascade',
      ),
    );
    account = await change(
      `insert into public.accounts (name, slug, account_type) values ('Ridge Patrol', 'a', 'enterprise')`,
    );
  });

  const call = async (name: string, body: object, as = fixture.admin): Promise<unknown> => {
    const response = await fixture.call(body, as, {}, name);
    const text = await response.text();
    expect({ name, status: response.status, text }).toMatchObject({ status: 200 });
    return JSON.parse(text);
  };
  const rejection = async (name: string, body: object, as = fixture.admin): Promise<unknown[]> => {
    const response = await fixture.call(body, as, {}, name);
    return [response.status, ((await response.json()) as { code: string }).code];
  };
  const list = async (body: object = {}): Promise<readonly ActivityGroup[]> =>
    ((await call('list-activity', body)) as ActivityResponse).entries;
  const change = async (text: string, as = fixture.admin): Promise<string> =>
    fixture.database.transaction(async (tx) => {
      await tx.query(sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: as })}, true),
        set_config('request.id', ${randomUUID()}, true), set_config('request.origin', 'console', true)`);
      const [row] = await tx.query<{ id: string }>({ text: `${text} returning id`, values: [] });
      return row?.id ?? '';
    });
  const version = async (): Promise<string> => {
    const [row] = await fixture.database.query<{ at: string }>(
      sql`select to_json(updated_at) #>> '{}' as at from public.accounts where id = ${account}`,
    );
    return row?.at ?? '';
  };
  const state = async (): Promise<unknown> => [
    await fixture.database.query(sql`select name, city, status from public.accounts`),
    await fixture.database.query(sql`select name, position from public.account_contacts order by position`),
    await fixture.database.query(sql`select count(*) from private.audit_log`),
  ];
  const contacts = async (): Promise<AccountContactsResponse> =>
    (await call('account-contacts', { account_id: account })) as AccountContactsResponse;
  const saveContacts = async (next: readonly object[], as = fixture.admin): Promise<void> => {
    const { version: seen } = await contacts();
    const empty = { role: '', phone: '', email: '', note: '' };
    const all = next.map((each) => ({ ...empty, ...each }));
    await call('set-account-contacts', { account_id: account, version: seen, contacts: all }, as);
  };
  const inputs = async (): Promise<{ id: string; name: string }[]> =>
    (await contacts()).contacts.map(({ id, name, note }) => ({
      id,
      name,
      role: '',
      phone: '',
      email: '',
      note: note ?? '',
    }));

  it('names the undone entry, and the undone entry its undo', async () => {
    await call('set-account-status', {
      account_id: account,
      status: 'suspended',
      reason: 'Unpaid',
      updated_at: await version(),
    });
    const [suspension] = await list();
    const entry = suspension?.further[0];
    expect(entry).toMatchObject({ undoable: true, undone_by: null, undoes: null });
    await call('undo-change', { entry: entry?.id });
    const [undo, undone] = await list();
    expect(undo).toMatchObject({
      count: 2,
      undoes: {
        id: entry?.id,
        at: entry?.at,
        actor_id: fixture.admin,
        actor_name: 'administrator@example.org',
      },
      further: [{ undoes: { id: entry?.id } }],
    });
    expect(undone?.further[0]).toMatchObject({
      undoable: false,
      undone_by: { id: undo?.id, at: undo?.at, actor_name: 'administrator@example.org', partly: false },
    });
    // An entry of the same transaction is not undone.
    expect(undone).toMatchObject({ undone_by: null });
    // The list of one record, the list that starts with an entry, and the handover.
    expect((await list({ record: account }))[1]?.further[0]?.undone_by?.id).toBe(undo?.id);
    const [first] = await list({ newest: entry?.id, limit: 1 });
    expect(first).toMatchObject({ id: suspension?.id, count: 2, further: [{ undone_by: { id: undo?.id } }] });
    const handover = (await call('handover', {})) as { accounts: { items: ActivityGroup[] } };
    expect(handover.accounts.items[1]?.further[0]?.undone_by?.id).toBe(undo?.id);
  });

  it('undoes an entry once, also if the row has the same values again', async () => {
    await change(`update public.accounts set city = 'Bern' where id = '${account}'`);
    const [edit] = await list();
    await call('undo-change', { entry: edit?.id });
    await change(`update public.accounts set city = 'Bern' where id = '${account}'`);
    expect((await list()).map(({ undoable }) => undoable)).toEqual([true, false, false, false]);
    const before = await state();
    expect(await rejection('undo-change', { entry: edit?.id })).toEqual([409, 'not_undoable']);
    expect(await state()).toEqual(before);
  });

  it('undoes the change that the user has just made, by the version that it led to', async () => {
    const other = await fixture.createUser({ administrator: true });
    await change(`update public.accounts set city = 'Bern' where id = '${account}'`);
    const seen = await version();
    // Another user changes another field.
    await change(`update public.accounts set zip_code = '3000' where id = '${account}'`, other);
    const before = await state();
    expect(await rejection('undo-change', { account_id: account, updated_at: await version() })).toEqual([
      409,
      'not_undoable',
    ]);
    expect(await rejection('undo-change', { account_id: randomUUID(), updated_at: seen })).toEqual([
      409,
      'not_undoable',
    ]);
    expect(await state()).toEqual(before);
    await call('undo-change', { account_id: account, updated_at: seen });
    expect(await state()).toMatchObject([[{ city: null }], [], [{}]]);
    expect((await list({ record: account })).map((each) => each.undone_by !== null)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(await rejection('undo-change', { account_id: account, updated_at: seen })).toEqual([
      409,
      'not_undoable',
    ]);
  });

  it('is part of the export, and of what the hash of an entry covers', async () => {
    await change(`update public.accounts set city = 'Bern' where id = '${account}'`);
    const [edit] = await list();
    await call('undo-change', { entry: edit?.id });
    const [undo] = await list();
    await fixture.auditChain.seal();
    const csv = await fixture.call({ format: 'csv' }, fixture.admin, {}, 'export-activity');
    const [header = '', ...lines] = (await csv.text()).trim().split('\r\n');
    expect(header.endsWith('changes,undoes,undone_by')).toBe(true);
    expect(lines.map((line) => line.split(',').slice(-2))).toEqual([
      [edit?.id, ''],
      ['', undo?.id],
      ['', ''],
    ]);
    const links = async (): Promise<ChainLink[]> => {
      const all: ChainLink[] = [];
      for await (const line of fixture.auditChain.exportLines()) {
        const link = tryParseLinkLine(line.trim());
        if (link) all.push(link);
      }
      return all;
    };
    const sealed = await links();
    const last = sealed.findIndex(
      ({ entry }) => (JSON.parse(entry ?? '{}') as { undoes?: string }).undoes === edit?.id,
    );
    expect(JSON.parse(sealed[last]?.entry ?? '')).toMatchObject({ id: undo?.id });
    const problemOf = (all: readonly ChainLink[]): string | null =>
      findChainProblem(all[last - 1] ?? chainStart, all[last] ?? { ...chainStart, entry: null });
    expect(problemOf(sealed)).toBeNull();
    await fixture.database.query(sql`alter table private.audit_log disable row level security`);
    for (const undoes of [null, '1']) {
      await fixture.database.query(
        sql`update private.audit_log set undoes = ${undoes} where id = ${undo?.id}`,
      );
      expect(problemOf(await links())).toContain('changed');
    }
    await fixture.database.query(sql`alter table private.audit_log enable row level security`);
  });

  it('marks members, imports and restored administrators', async () => {
    await fixture.createUser({ email: 'member@example.org' });
    const added = (await call('add-account-member', {
      account_id: account,
      email: 'member@example.org',
    })) as { change: string };
    await call('undo-account-member', { account_id: account, change: added.change });
    const [removal, addition] = await list({ kind: 'members' });
    expect(removal?.undoes?.id).toBe(addition?.id);
    expect(addition?.undone_by?.id).toBe(removal?.id);

    const importId = randomUUID();
    const rows = ['One', 'Two'].map((name, index) => ({ line: index + 2, name, account_type: 'enterprise' }));
    await call('import-accounts', { dry_run: false, import_id: importId, rows });
    const [imported] = await list({ kind: 'accounts' });
    await change(`update public.accounts set city = 'Bern' where name = 'Two'`);
    await call('undo-import', { import_id: importId });
    const [undo, , partly] = await list({ kind: 'accounts' });
    expect(undo).toMatchObject({ action: 'import_undone', undoes: { id: imported?.id } });
    expect(partly).toMatchObject({ id: imported?.id, undone_by: { id: undo?.id, partly: true } });
    expect(partly?.undoable_import).toEqual({ id: importId, accounts: 1 });

    const bo = await fixture.createUser({ email: 'bo@example.org', administrator: true });
    await fixture.database
      .query(sql`insert into private.invitations (email, full_name, user_id, status, accepted_at, expires_at)
      values ('bo@example.org', 'Bo', ${bo}, 'accepted', now(), now())`);
    await call('remove-administrator', { email: 'bo@example.org' });
    const [removed] = await list({ kind: 'administrators', record: bo });
    await call('restore-administrator', { email: 'bo@example.org' });
    const [restored] = await list({ kind: 'invitations' });
    expect(restored?.undoes?.id).toBe(removed?.id);
    expect((await list({ record: bo })).find(({ id }) => id === removed?.id)?.undone_by).not.toBeNull();
  });

  it('names the last removal, also one of a transaction that began after that of the restoration', async () => {
    const bo = await fixture.createUser({ email: 'bo@example.org', administrator: true });
    await fixture.database
      .query(sql`insert into private.invitations (email, full_name, user_id, status, accepted_at, expires_at)
      values ('bo@example.org', 'Bo', ${bo}, 'accepted', now(), now())`);
    for (const name of ['remove-administrator', 'restore-administrator', 'remove-administrator'])
      await call(name, { email: 'bo@example.org' });
    // As if the restoration had waited for the removal.
    await fixture.database.maintenance((tx) =>
      fixture.database.script(
        tx,
        `alter table private.audit_log disable row level security;
        update private.audit_log set at = at + interval '1 minute' where id = (
          select max(id) from private.audit_log where table_name = 'public.user_roles' and action = 'DELETE');
        alter table private.audit_log enable row level security`,
      ),
    );
    const [removed] = await list({ kind: 'administrators', record: bo });
    await call('restore-administrator', { email: 'bo@example.org' });
    const removals = (await list({ kind: 'administrators', record: bo })).filter(
      ({ action }) => action === 'DELETE',
    );
    expect(removals).toHaveLength(2);
    const [restored] = (await list({ kind: 'invitations' })).filter(({ undoes }) => undoes !== null);
    expect(restored?.undoes?.id).toBe(removed?.id);
  });

  it('offers no undo of an own membership with an end date, which only others remove', async () => {
    await fixture.createUser({ email: 'member@example.org' });
    const endsAt = new Date(Date.now() + 86_400_000).toISOString();
    for (const [email, end, expected] of [
      ['member@example.org', endsAt, true],
      ['administrator@example.org', undefined, true],
      ['administrator@example.org', endsAt, false],
    ] as const) {
      await fixture.database.query(sql`delete from public.account_members`);
      const body = { account_id: account, email, ends_at: end };
      const { change: added } = (await call('add-account-member', body)) as { change: string };
      const entry = (await list({ kind: 'members' })).find(({ id }) => id === added);
      expect({ email, end, undoable: entry?.undoable }).toEqual({ email, end, undoable: expected });
      if (!expected)
        expect(await rejection('undo-change', { entry: added })).toEqual([403, 'own_membership']);
    }
  });

  it('undoes changes of contacts, and rejects others without an effect', async () => {
    const other = await fixture.createUser({ administrator: true });
    await saveContacts([{ name: 'Anna' }, { name: 'Ben' }]);
    const [anna, ben] = await inputs();
    if (!anna || !ben) throw new Error('no contacts');
    await saveContacts([ben, anna]);
    const [move] = await list();
    expect(move).toMatchObject({ count: 2, undoable: true, further: [{ undoable: true }] });
    await call('undo-change', { account_id: account, contacts: (await contacts()).version });
    expect((await contacts()).contacts.map(({ name }) => name)).toEqual(['Anna', 'Ben']);
    await saveContacts([{ ...anna, note: 'Deputy' }]);
    const [removal] = await list();
    await saveContacts([{ ...anna, note: 'Night' }]);
    const before = await state();
    expect(await rejection('undo-change', { entry: removal?.id })).toEqual([409, 'not_undoable']);
    const seen = { account_id: account, contacts: (await contacts()).version };
    expect(await rejection('undo-change', seen, other)).toEqual([409, 'not_undoable']);
    expect(await rejection('undo-change', { ...seen, contacts: '0'.repeat(32) })).toEqual([
      409,
      'contacts_changed',
    ]);
    expect(await rejection('undo-change', { ...seen, account_id: randomUUID() })).toEqual([
      404,
      'account_not_found',
    ]);
    expect(await state()).toEqual(before);
    await call('undo-change', seen, fixture.admin);
    await call('undo-change', { entry: removal?.id }, other);
    expect((await contacts()).contacts.map(({ name, note }) => [name, note])).toEqual([
      ['Anna', null],
      ['Ben', null],
    ]);
  });

  it('restores any list of contacts', async () => {
    const anyList = fc.uniqueArray(fc.nat({ max: 25 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(fc.array(anyList, { minLength: 2, maxLength: 4 }), async (lists) => {
        await fixture.database.query(sql`delete from public.account_contacts`);
        let previous = (await contacts()).contacts;
        for (const names of lists) {
          const stored = new Map((await inputs()).map((each) => [each.name, each]));
          previous = (await contacts()).contacts;
          await saveContacts(
            names.map((name) => ({
              ...(stored.get(`C${name}`) ?? { name: `C${name}` }),
              note: `${names.length % 3}`,
            })),
          );
        }
        const now = (await contacts()).contacts;
        if (JSON.stringify(now) === JSON.stringify(previous)) return;
        await call('undo-change', { account_id: account, contacts: (await contacts()).version });
        expect((await contacts()).contacts).toEqual(previous);
      }),
      { numRuns: runs({ short: 20, long: 500 }), seed },
    );
  });
});
