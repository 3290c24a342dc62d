/** The activity as actions: groups of entries, names after a rename, and undo, on both databases. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ActivityGroup, ActivityResponse } from '@lanternrock/contract/activity';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

eachEngine('actions of the activity', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.maintenance((tx) =>
      fixture.database.script(tx, 'truncate private.audit_log; truncate public.accounts cascade'),
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
    const { code, error } = (await response.json()) as { code: string; error: string };
    return [response.status, code, error];
  };
  const list = async (body: object = {}): Promise<readonly ActivityGroup[]> =>
    ((await call('list-activity', body)) as ActivityResponse).entries;
  const newest = async (body: object = {}): Promise<ActivityGroup> => {
    const [group] = await list(body);
    if (!group) throw new Error('no entry');
    return group;
  };
  const actionsOf = ({ further, ...head }: ActivityGroup): string[] =>
    [...further, head].map(({ action, table_name: table }) => `${action} ${table}`);
  /** Runs a statement as a user in a separate request. */
  const change = async (text: string, { as = fixture.admin } = {}): Promise<string> =>
    fixture.database.transaction(async (tx) => {
      await tx.query(sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: as })}, true),
        set_config('request.id', ${randomUUID()}, true),
        set_config('request.origin', 'console', true)`);
      const [row] = await tx.query<{ id: string }>({ text: `${text} returning id`, values: [] });
      return row?.id ?? '';
    });
  const createAccount = (name = 'Ridge Patrol'): Promise<string> =>
    change(`insert into public.accounts (name, slug, account_type) values ('${name}', 'a', 'enterprise')`);
  const setStatus = async (id: string, status: string, reason?: string): Promise<unknown> => {
    const [row] = await fixture.database.query<{ updated_at: string }>(
      sql`select to_json(updated_at) #>> '{}' as updated_at from public.accounts where id = ${id}`,
    );
    return call('set-account-status', { account_id: id, status, reason, updated_at: row?.updated_at });
  };
  const readAccount = async (id: string): Promise<Record<string, unknown> | undefined> =>
    (
      await fixture.database.query(
        sql`select a.name, a.slug, a.city, a.status, s.reason from public.accounts a
            left join private.account_suspensions s on s.id = a.id where a.id = ${id}`,
      )
    )[0];
  const importRows = (count: number): Promise<unknown> =>
    call('import-accounts', {
      dry_run: false,
      rows: Array.from({ length: count }, (_, index) => ({
        line: index + 2,
        name: `Imported ${String(index).padStart(4, '0')}`,
        account_type: 'enterprise',
      })),
    });

  it('returns a suspension with its reason as one action', async () => {
    const id = await createAccount();
    await setStatus(id, 'suspended', 'Unpaid');
    const [suspension, creation] = await list({ record: id });
    expect(suspension).toMatchObject({ count: 2, record_name: 'Ridge Patrol', undoable: false });
    expect(suspension && actionsOf(suspension)).toEqual([
      'UPDATE public.accounts',
      'INSERT private.account_suspensions',
    ]);
    expect(suspension?.further).toMatchObject([
      { undoable: true, changes: [{ field: 'status', before: 'active', after: 'suspended' }] },
    ]);
    expect(creation).toMatchObject({ action: 'INSERT', count: 1, further: [], undoable: false });
    await setStatus(id, 'active');
    expect(actionsOf(await newest())).toEqual([
      'DELETE private.account_suspensions',
      'UPDATE public.accounts',
    ]);
  });

  it('returns an import as one action, and its entries in pages', async () => {
    await createAccount();
    await importRows(134);
    const [group, earlier] = await list();
    expect(group).toMatchObject({ action: 'imported', table_name: 'imports', count: 135 });
    expect(group?.changes).toEqual([
      { field: 'changed', before: null, after: '0' },
      { field: 'created', before: null, after: '134' },
      { field: 'list', before: null, after: 'accounts' },
    ]);
    expect(group?.further).toHaveLength(10);
    expect(group?.further[0]).toMatchObject({ action: 'INSERT', record_name: 'Imported 0000' });
    expect(earlier).toMatchObject({ action: 'INSERT', record_name: 'Ridge Patrol' });
    const seen: (string | null)[] = [];
    for (let before: string | undefined; ;) {
      const page = (await call('list-activity', { group: group?.id, before })) as ActivityResponse;
      expect(page.entries.every(({ count, further }) => count === 1 && further.length === 0)).toBe(true);
      seen.push(...page.entries.map(({ record_name: name }) => name));
      before = page.entries.at(-1)?.id;
      if (!page.more) break;
    }
    expect(seen).toEqual([
      null,
      ...Array.from({ length: 134 }, (_, index) => `Imported ${String(133 - index).padStart(4, '0')}`),
    ]);
    // The page after the import starts before its first entry.
    expect(await list({ before: group?.id, limit: 1 })).toMatchObject([{ id: earlier?.id }]);
    const [account] = await fixture.database.query<{ id: string }>(
      sql`select id from public.accounts where name = 'Imported 0077'`,
    );
    expect(await list({ record: account?.id })).toMatchObject([{ action: 'INSERT', count: 1, further: [] }]);
    await importRows(134);
    expect(await newest()).toMatchObject({ id: group?.id });
  });

  it('keeps commands of one operator apart, and entries without a request', async () => {
    await fixture.database.query(sql`insert into private.audit_log (at, request_id, table_name, action)
      select now() - n * interval '1 second', 'command line (root)', 'public.accounts', 'INSERT' from generate_series(1, 2) n`);
    await fixture.database.query(
      sql`insert into private.audit_log (table_name, action) values ('x', 'UPDATE'), ('y', 'UPDATE')`,
    );
    expect((await list()).map((group) => [group.count, ...actionsOf(group)])).toEqual([
      [1, 'UPDATE y'],
      [1, 'UPDATE x'],
      [1, 'INSERT public.accounts'],
      [1, 'INSERT public.accounts'],
    ]);
  });

  it('loses no entry of two requests with the same time', async () => {
    await fixture.database
      .query(sql`insert into private.audit_log (at, request_id, table_name, row_id, action)
      select '2026-11-24', r, 'public.accounts', r || n, 'UPDATE' from generate_series(1, 3) n, (values ('a'), ('b'), (null)) v (r)`);
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const page = (await call('list-activity', { limit: 2, before })) as ActivityResponse;
      seen.push(...page.entries.flatMap(({ id, further }) => [id, ...further.map((entry) => entry.id)]));
      before = page.entries.at(-1)?.id;
      if (!page.more) break;
    }
    expect(seen).toHaveLength(9);
    expect(new Set(seen).size).toBe(9);
  });

  it('shows present names, and the names at the time where they differ', async () => {
    const ben = await fixture.createUser({ email: 'ben@example.org', administrator: true });
    await change(`update public.profiles set full_name = 'Ben Old' where id = '${ben}'`, { as: ben });
    const id = await createAccount('Old Patrol');
    await change(`insert into public.account_members (account_id, user_id) values ('${id}', '${ben}')`, {
      as: ben,
    });
    await change(`update public.accounts set name = 'New Patrol' where id = '${id}'`);
    await change(`update public.profiles set full_name = 'Ben New' where id = '${ben}'`, { as: ben });
    const [renaming, membership, creation] = await list({ record: id });
    expect(creation).toMatchObject({
      record_name: 'New Patrol',
      former_names: { actor: null, record: 'Old Patrol', member: null },
    });
    expect(membership).toMatchObject({
      actor_name: 'Ben New',
      member_name: 'Ben New',
      record_name: 'New Patrol',
      former_names: { actor: 'Ben Old', record: 'Old Patrol', member: 'Ben Old' },
    });
    const unchanged = { actor: null, record: null, member: null };
    expect(renaming).toMatchObject({ record_name: 'New Patrol', former_names: unchanged });
    expect((await list({ record: ben })).slice(0, 2)).toMatchObject([
      { record_name: 'Ben New', former_names: unchanged },
      { record_name: 'Ben New', former_names: { actor: 'Ben Old', record: 'Ben Old', member: null } },
    ]);
  });

  it('undoes a suspension, and an edit', async () => {
    const id = await createAccount();
    await change(
      `update public.accounts set name = 'Other', slug = 'other', city = 'Bern' where id = '${id}'`,
    );
    await setStatus(id, 'suspended', 'Unpaid');
    const [suspension, edit] = await list({ record: id });
    expect(edit).toMatchObject({ undoable: true });
    const entry = suspension?.further[0]?.id;
    await call('undo-change', { entry });
    expect(await readAccount(id)).toMatchObject({ status: 'active', reason: null });
    const undone = await newest();
    expect(undone).toMatchObject({ actor_id: fixture.admin, count: 2 });
    // The undo can be undone, with the reason.
    expect(undone).toMatchObject({ action: 'UPDATE', undoable: true });
    await call('undo-change', { entry: undone.id });
    expect(await readAccount(id)).toMatchObject({ status: 'suspended', reason: 'Unpaid' });
    await call('undo-change', { entry: edit?.id });
    expect(await readAccount(id)).toEqual({
      name: 'Ridge Patrol',
      slug: 'a',
      city: null,
      status: 'suspended',
      reason: 'Unpaid',
    });
  });

  it('undoes a change of a member for its author only', async () => {
    const id = await createAccount();
    const other = await fixture.createUser({ administrator: true });
    await fixture.createUser({ email: 'member@example.org' });
    await call('add-account-member', { account_id: id, email: 'member@example.org' });
    const added = await newest({ kind: 'members' });
    expect(added).toMatchObject({ action: 'INSERT', undoable: true });
    expect((await rejection('undo-change', { entry: added.id }, other)).slice(0, 2)).toEqual([
      409,
      'not_undoable',
    ]);
    await call('undo-change', { entry: added.id });
    expect(await list({ kind: 'members' })).toMatchObject([
      { action: 'DELETE', undoable: true },
      { action: 'INSERT', undoable: false },
    ]);
  });

  it('rejects what cannot be undone, and changes nothing', async () => {
    const id = await createAccount();
    await change(`update public.accounts set city = 'Bern' where id = '${id}'`);
    const edit = await newest();
    await change(`update public.accounts set city = 'Thun' where id = '${id}'`);
    await setStatus(id, 'suspended', 'Unpaid');
    await setStatus(id, 'archived');
    const [archiving, suspension, , , creation] = await list({ record: id });
    const entries = [
      archiving,
      suspension,
      ...(suspension?.further ?? []),
      ...(archiving?.further ?? []),
      creation,
    ];
    expect(entries.map((entry) => entry?.undoable)).toEqual(entries.map(() => false));
    const state = async (): Promise<unknown[]> => [
      await readAccount(id),
      await fixture.database.query(sql`select count(*) from private.audit_log`),
    ];
    const member = await fixture.createUser();
    const before = await state();
    const conflict = 'Ridge Patrol was changed in the meantime and is archived. Check it and try again.';
    expect(await rejection('undo-change', { entry: edit.id })).toEqual([409, 'account_changed', conflict]);
    expect(await rejection('undo-change', { entry: suspension?.further[0]?.id })).toEqual([
      409,
      'account_changed',
      conflict,
    ]);
    for (const entry of [archiving?.id, creation?.id, '999999999999999999'])
      expect((await rejection('undo-change', { entry })).slice(0, 1)).toEqual([409]);
    expect((await rejection('undo-change', { entry: edit.id }, member)).slice(0, 2)).toEqual([
      403,
      'not_platform_admin',
    ]);
    expect((await fixture.call({ entry: edit.id }, undefined, {}, 'undo-change')).status).toBe(401);
    for (const entry of ['1 or 1=1', '', 7])
      expect((await rejection('undo-change', { entry })).slice(0, 2)).toEqual([400, 'validation_failed']);
    expect(await state()).toEqual(before);
  });

  it('records test emails, ended sessions and actions of other clients on administrators', async () => {
    expect((await fixture.call({}, fixture.admin, {}, 'send-test-mail')).status).toBe(200);
    expect(await newest({ kind: 'settings' })).toMatchObject({
      action: 'test_email_sent',
      actor_id: fixture.admin,
      changes: [{ field: 'to', before: null, after: 'administrator@example.org' }],
    });
    await fixture.database.query(sql`insert into auth.audit_log_entries (payload)
      values (${JSON.stringify({ action: 'factor_deleted', request_id: 'r', traits: { user_id: fixture.admin } })}::jsonb),
        (${JSON.stringify({ action: 'user_modified', actor_id: fixture.admin, traits: { changed: 'email' } })}::jsonb)`);
    expect(await list({ record: fixture.admin, kind: 'administrators' })).toMatchObject([
      { action: 'user_modified', changes: [{ field: 'changed', before: null, after: 'email' }] },
      { action: 'factor_deleted', actor_id: null, record_id: fixture.admin },
    ]);
  });
});
