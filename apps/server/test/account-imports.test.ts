/** The preview of an import with its questions, and the function `undo-import`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type {
  ImportResponse,
  ImportResult,
  RecentImportsResponse,
  UndoImportResponse,
} from '@lanternrock/contract/account-import';
import type { ActivityResponse } from '@lanternrock/contract/activity';
import { sql } from '@lanternrock/postgres';
import { purgeImports } from '../src/accounts/imports.ts';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';
import { eachEngine } from './support/test-service.ts';

eachEngine('imports of accounts', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
    await fixture.database.query(sql`delete from private.account_imports`);
  });

  type Cells = Readonly<Record<string, string>>;
  const post = async (name: string, body: object, as = fixture.admin): Promise<Response> =>
    fixture.call(body, as, undefined, name);
  const importRows = async (rows: readonly Cells[], options: object = {}, as = fixture.admin) => {
    const lines = rows.map((row, index) => ({ line: index + 2, ...row }));
    const response = await post('import-accounts', { dry_run: false, rows: lines, ...options }, as);
    expect(response.status).toBe(200);
    return ((await response.json()) as ImportResponse).results;
  };
  const preview = async (rows: readonly Cells[], options: object = {}): Promise<readonly ImportResult[]> => {
    const results: ImportResult[] = [];
    while (results.length < rows.length)
      results.push(...(await importRows(rows.slice(results.length), { dry_run: true, ...options })));
    return results;
  };
  const undo = async (importId: string, as = fixture.admin, after?: string): Promise<UndoImportResponse> => {
    const response = await post('undo-import', { import_id: importId, ...(after ? { after } : {}) }, as);
    expect(response.status).toBe(200);
    return (await response.json()) as UndoImportResponse;
  };
  const names = async (): Promise<string[]> =>
    (await fixture.database.query<{ name: string }>(sql`select name from public.accounts order by name`)).map(
      ({ name }) => name,
    );
  /** Everything that an import or an undo can change. */
  const state = async (): Promise<unknown> =>
    fixture.database.query(
      sql`select (select jsonb_agg(a order by a.id) from public.accounts a) as accounts,
                 (select jsonb_agg(i order by i.id) from private.account_imports i) as imports,
                 (select jsonb_agg(i order by i.account_id) from private.imported_accounts i) as rows,
                 (select count(*) from private.audit_log) as changes`,
    );
  const type = { account_type: 'organization' };

  it('a dry run names the account that a new one looks like', async () => {
    await importRows([
      { name: 'Mount Hood Search and Rescue', city: 'Portland', ...type },
      { name: 'Lifeboat Station 12', city: '', ...type },
    ]);
    const before = await state();
    const rows = [
      { name: 'Mt. Hood SAR', city: 'Portland', ...type },
      { name: 'Mt. Hood SAR', city: 'Salem', ...type },
      { name: 'Mt Hood SAR', city: '', ...type },
      { name: 'Lifeboat Station 21', city: '', ...type },
      { name: 'Harbor Master', city: '', ...type },
    ];
    const results = await preview(rows);
    expect(results.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'created'));
    const found = (result: ImportResult | undefined) => result?.similar?.name ?? null;
    expect(results.map(found)).toEqual([
      'Mount Hood Search and Rescue',
      null,
      'Mount Hood Search and Rescue',
      null,
      null,
    ]);
    expect(results[0]?.similar?.city).toBe('Portland');
    // Names of the same words have the same key.
    expect(new Set(results.slice(0, 3).map(({ name_key }) => name_key)).size).toBe(1);
    expect(await state()).toEqual(before);
  });

  it('a dry run finds other spellings on request', async () => {
    await importRows([{ name: 'Wolfcreek Lifeguards', ...type }]);
    const rows = Array.from({ length: 45 }, () => ({ name: 'Wolfcrek Lifeguards', ...type }));
    const [plain] = await preview(rows.slice(0, 1));
    expect(plain?.similar).toBeUndefined();
    const results = await preview(rows, { compare_spelling: true });
    expect(results).toHaveLength(45);
    expect(results[0]?.similar?.name).toBe('Wolfcreek Lifeguards');
  });

  it('a dry run shows what would change, and if only the name proves the account', async () => {
    await importRows([
      { name: 'North Point Station', address: '12 Hill Road', ...type },
      { name: 'Vail Patrol', city: 'Vail', ...type },
    ]);
    const [byName] = await preview([
      { name: 'North Point Station', state: 'PEI', account_type: 'enterprise' },
    ]);
    expect(byName).toMatchObject({
      outcome: 'changed',
      by_name_only: true,
      changes: [
        { field: 'account_type', before: 'organization', after: 'enterprise' },
        { field: 'state', before: null, after: 'PEI' },
      ],
    });
    const [byCity] = await preview([{ name: 'Vail Patrol', city: 'Vail', zip_code: '81657' }]);
    expect(byCity).toMatchObject({ outcome: 'changed', changes: [{ field: 'zip_code' }] });
    expect(byCity?.by_name_only).toBeUndefined();
  });

  it('rows without a type create accounts of the default type, and change no type', async () => {
    await importRows([{ name: 'Old', ...type }]);
    expect((await importRows([{ name: 'New' }]))[0]?.reason).toBe('Please select an account type');
    const options = { default_type: 'enterprise' };
    expect(
      (await importRows([{ name: 'New' }, { name: 'Old' }], options)).map(({ outcome }) => outcome),
    ).toEqual(['created', 'unchanged']);
    expect((await post('import-accounts', { dry_run: false, default_type: 'club', rows: [] })).status).toBe(
      400,
    );
  });

  it('a cell of several lines is one line', async () => {
    await importRows([{ name: 'Multi\nHut', address: 'Hut 1\r\n Top station', ...type }]);
    expect(await fixture.database.query(sql`select name, address from public.accounts`)).toEqual([
      { name: 'Multi Hut', address: 'Hut 1, Top station' },
    ]);
  });

  it('an undo deletes the accounts that the import created, once, and records it', async () => {
    const importId = randomUUID();
    await importRows([{ name: 'Before', ...type }]);
    await importRows(
      [
        { name: 'One', ...type },
        { name: 'Two', ...type },
      ],
      { import_id: importId },
    );
    await importRows(
      [
        { name: 'Three', ...type },
        { name: 'Before', city: 'Vail' },
      ],
      { import_id: importId },
    );
    const { deleted, kept, next } = await undo(importId);
    expect([deleted.length, kept, next]).toEqual([3, [], null]);
    expect(await names()).toEqual(['Before']);
    const [entry] = await fixture.database.query(
      sql`select actor, action, count(*)::int as entries from private.audit_log
            where table_name = 'public.accounts' and action = 'DELETE' and row_id = any (${deleted}) group by 1, 2`,
    );
    expect(entry).toEqual({ actor: fixture.admin, action: 'DELETE', entries: 3 });
    const activity = await fixture.call({ limit: 1 }, fixture.admin, undefined, 'list-activity');
    expect(((await activity.json()) as ActivityResponse).entries).toMatchObject([
      {
        action: 'import_undone',
        count: 4,
        changes: [
          { field: 'deleted', after: '3' },
          { field: 'list', after: 'accounts' },
          { field: 'total_deleted', after: '3' },
        ],
      },
    ]);
    const before = await state();
    expect(await undo(importId)).toEqual({ deleted: [], kept: [], next: null });
    expect(await state()).toEqual(before);
  });

  it('an undo keeps accounts that were changed, have members, contacts or other records', async () => {
    const importId = randomUUID();
    const results = await importRows(
      ['Changed', 'Member', 'Status', 'Contact', 'Invited', 'Untouched'].map((name) => ({ name, ...type })),
      { import_id: importId },
    );
    const [changed = '', withMember = '', suspended = '', withContact = '', invited = ''] = results.map(
      ({ id = '' }) => id,
    );
    const user = await fixture.createUser();
    await fixture.database.query(sql`update public.accounts set city = 'Vail' where id = ${changed}`);
    await fixture.database.query(
      sql`insert into public.account_members (account_id, user_id, status) values (${withMember}, ${user}, 'inactive')`,
    );
    await fixture.database.query(
      sql`insert into private.account_suspensions (id, reason) values (${suspended}, 'Unpaid')`,
    );
    await fixture.database.query(
      sql`insert into public.account_contacts (account_id, position, name) values (${withContact}, 1, 'Anna')`,
    );
    const invitation = { account_id: invited, email: 'bo@example.org', full_name: 'Bo' };
    expect((await post('invite-account-member', invitation)).status).toBe(200);
    const { deleted, kept } = await undo(importId);
    expect(deleted).toEqual([results[5]?.id]);
    expect(kept.map(({ name, reason }) => `${name}: ${reason}`).toSorted()).toEqual([
      'Changed: changed',
      'Contact: used',
      'Invited: used',
      'Member: used',
      'Status: used',
    ]);
    expect(await names()).toEqual(['Changed', 'Contact', 'Invited', 'Member', 'Status']);
  });

  it('an undo of many accounts continues where the last call ended', async () => {
    const importId = randomUUID();
    const rows = Array.from({ length: 510 }, (_, index) => ({ name: `Account ${index}`, ...type }));
    await importRows(rows.slice(0, 500), { import_id: importId });
    await importRows(rows.slice(500), { import_id: importId });
    const first = await undo(importId);
    expect([first.deleted.length, typeof first.next]).toEqual([500, 'string']);
    const second = await undo(importId, fixture.admin, first.next ?? '');
    expect([second.deleted.length, second.next]).toEqual([10, null]);
    expect(await names()).toEqual([]);
  });

  it('lists the imports that the user can undo, newest first', async () => {
    const [first, second, gone] = [randomUUID(), randomUUID(), randomUUID()];
    await importRows(
      [
        { name: 'One', ...type },
        { name: 'Two', ...type },
      ],
      { import_id: first, file_name: 'Konten März.csv' },
    );
    // The name of the first request of the file stays.
    await importRows([{ name: 'Five', ...type }], { import_id: first, file_name: 'other.csv' });
    await importRows([{ name: 'Three', ...type }], { import_id: second });
    await importRows([{ name: 'Four', ...type }], { import_id: gone });
    await undo(gone);
    const list = async (as: string) => {
      const response = await fixture.call({}, as, undefined, 'recent-imports');
      return ((await response.json()) as RecentImportsResponse).imports;
    };
    expect(await list(fixture.admin)).toMatchObject([
      { id: second, accounts: 1, file_name: null },
      { id: first, accounts: 3, file_name: 'Konten März.csv' },
    ]);
    expect(await list(await fixture.createUser({ administrator: true }))).toEqual([]);
    const member = await fixture.createUser();
    expect((await fixture.call({}, member, undefined, 'recent-imports')).status).toBe(403);
  });

  it('rejects an invalid name of the file, and changes nothing', async () => {
    for (const fileName of [
      '',
      'x'.repeat(256),
      'a\nb.csv',
      'a\u0000.csv',
      'a\u202eb.csv',
      'a\ud800.csv',
      7,
    ]) {
      const before = await state();
      const body = { dry_run: false, import_id: randomUUID(), file_name: fileName, rows: [] };
      const response = await fixture.call(body, fixture.admin, undefined, 'import-accounts');
      expect([fileName, response.status]).toEqual([fileName, 400]);
      expect(await state()).toEqual(before);
    }
  });

  it('rejects an undo of another user, of an old and of an unknown import, and changes nothing', async () => {
    const importId = randomUUID();
    await importRows([{ name: 'Kept', ...type }], { import_id: importId });
    const other = await fixture.createUser({ administrator: true });
    const member = await fixture.createUser();
    const reject = async (id: string, as: string | undefined, expected: readonly [number, string]) => {
      const before = await state();
      const response = await fixture.call({ import_id: id }, as, undefined, 'undo-import');
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual(expected);
      expect(await state()).toEqual(before);
    };
    await reject(importId, other, [404, 'import_not_found']);
    await reject(randomUUID(), fixture.admin, [404, 'import_not_found']);
    await reject(importId, member, [403, 'not_platform_admin']);
    await reject(importId, undefined, [401, 'not_authenticated']);
    await reject('nonsense', fixture.admin, [400, 'validation_failed']);
    await fixture.database.query(
      sql`update private.account_imports set created_at = now() - interval '8 days' where id = ${importId}`,
    );
    await reject(importId, fixture.admin, [404, 'import_not_found']);
  });

  it('rejects rows for the import of another user, and creates nothing', async () => {
    const importId = randomUUID();
    await importRows([{ name: 'Kept', ...type }], { import_id: importId });
    const other = await fixture.createUser({ administrator: true });
    const before = await state();
    const rows = [{ line: 2, name: 'Foreign', ...type }];
    const response = await post('import-accounts', { dry_run: false, import_id: importId, rows }, other);
    expect(response.status).toBe(404);
    expect(await state()).toEqual(before);
  });

  it('deletes the records of old imports, and no accounts', async () => {
    const [old, recent] = [randomUUID(), randomUUID()];
    await importRows([{ name: 'Old', ...type }], { import_id: old });
    await importRows([{ name: 'Recent', ...type }], { import_id: recent });
    await fixture.database.query(
      sql`update private.account_imports set created_at = now() - interval '8 days' where id = ${old}`,
    );
    await purgeImports(fixture.database);
    expect(await fixture.database.query(sql`select id from private.account_imports`)).toEqual([
      { id: recent },
    ]);
    expect(await fixture.database.query(sql`select import_id from private.imported_accounts`)).toEqual([
      { import_id: recent },
    ]);
    expect(await names()).toEqual(['Old', 'Recent']);
  });
});
