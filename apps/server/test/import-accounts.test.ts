/** The function `import-accounts`. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ImportResponse, ImportRow } from '@lanternrock/contract/account-import';
import { sql } from '@lanternrock/postgres';
import { parse } from 'csv-parse/sync';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';
import { eachEngine } from './support/test-service.ts';

eachEngine('import-accounts', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());
  beforeEach(async () => {
    await fixture.reset();
    await fixture.database.query(sql`delete from public.accounts`);
  });

  type Cells = Omit<ImportRow, 'line'>;
  /** Sends the rows as lines 2, 3 and so on. */
  const send = async (cells: readonly Cells[], dryRun = false, as = fixture.admin): Promise<Response> =>
    fixture.call(
      { dry_run: dryRun, rows: cells.map((row, index) => ({ line: index + 2, ...row })) },
      as,
      undefined,
      'import-accounts',
    );
  /** @returns `outcome` or `rejected: reason` of each row */
  const importRows = async (cells: readonly Cells[], dryRun = false): Promise<string[]> => {
    const response = await send(cells, dryRun);
    expect(response.status).toBe(200);
    const { results } = (await response.json()) as ImportResponse;
    expect(results.map(({ line }) => line)).toEqual(cells.map((_, index) => index + 2));
    return results.map(({ outcome, reason }) => (reason === undefined ? outcome : `${outcome}: ${reason}`));
  };
  /** Everything that an import can change. */
  const state = async (): Promise<unknown> =>
    fixture.database.query(
      sql`select (select jsonb_agg(a order by a.id) from public.accounts a) as accounts,
                 (select count(*) from private.audit_log) as changes`,
    );
  const accounts = () =>
    fixture.database.query(
      sql`select name, slug, account_type, address, city, state, zip_code, status, created_by
            from public.accounts order by name, city`,
    );

  const vail = { name: 'Vail Ski Patrol', account_type: 'Organization', city: 'Vail', zip_code: '81657' };
  const port = { name: 'Port of Tromsø', account_type: 'enterprise', city: '', zip_code: '' };

  it('creates accounts as the administrator, after a dry run that changes nothing', async () => {
    const before = await state();
    expect(await importRows([vail, port], true)).toEqual(['created', 'created']);
    expect(await state()).toEqual(before);
    expect(await importRows([vail, port])).toEqual(['created', 'created']);
    const shared = { address: null, state: null, status: 'active', created_by: fixture.admin };
    expect(await accounts()).toEqual([
      {
        ...shared,
        name: 'Port of Tromsø',
        slug: 'port-of-troms',
        account_type: 'enterprise',
        city: null,
        zip_code: null,
      },
      {
        ...shared,
        name: 'Vail Ski Patrol',
        slug: 'vail-ski-patrol',
        account_type: 'organization',
        city: 'Vail',
        zip_code: '81657',
      },
    ]);
    const [entry] = await fixture.database.query(
      sql`select actor, action from private.audit_log where table_name = 'public.accounts' order by id desc limit 1`,
    );
    expect(entry).toEqual({ actor: fixture.admin, action: 'INSERT' });
  });

  it('changes nothing when the same rows arrive again', async () => {
    await importRows([vail, port]);
    const before = await state();
    expect(await importRows([vail, port])).toEqual(['unchanged', 'unchanged']);
    expect(await importRows([port, vail], true)).toEqual(['unchanged', 'unchanged']);
    expect(await state()).toEqual(before);
  });

  it('changes the columns of the file only, and clears a field with an empty cell', async () => {
    await importRows([{ ...vail, address: '1 Hill St', state: 'CO' }]);
    expect(await importRows([{ name: 'VAIL ski patrol', city: 'Vail', address: '' }])).toEqual(['changed']);
    expect(await accounts()).toMatchObject([
      {
        name: 'VAIL ski patrol',
        slug: 'vail-ski-patrol',
        address: null,
        city: 'Vail',
        state: 'CO',
        zip_code: '81657',
      },
    ]);
  });

  it('finds accounts by ID and by slug, and keeps their slug when it renames them', async () => {
    await importRows([vail, port]);
    const ids = await fixture.database.query<{ id: string }>(
      sql`select id from public.accounts order by name`,
    );
    expect(
      await importRows([
        { id: ids[0]?.id.toUpperCase() ?? '', name: 'Port of Bergen' },
        { slug: 'vail-ski-patrol', name: 'Vail Patrol' },
        { slug: 'new-slug', name: 'Fresh', account_type: 'enterprise' },
      ]),
    ).toEqual(['changed', 'changed', 'created']);
    expect((await accounts()).map(({ name, slug }) => [name, slug])).toEqual([
      ['Fresh', 'new-slug'],
      ['Port of Bergen', 'port-of-troms'],
      ['Vail Patrol', 'vail-ski-patrol'],
    ]);
  });

  it('rejects invalid rows with the messages of the dialog, and imports the others', async () => {
    const long = 'x'.repeat(201);
    expect(
      await importRows([
        { name: ' ', account_type: 'enterprise' },
        { name: long, account_type: 'enterprise' },
        { name: 'No type' },
        { name: 'Wrong type', account_type: 'club' },
        { name: 'Control\u0007', account_type: 'enterprise' },
        { name: 'Turned\u202e', account_type: 'enterprise' },
        { name: 'Half \ud800', account_type: 'enterprise' },
        { name: 'Long city', account_type: 'enterprise', city: long },
        { id: 'nonsense', name: 'Wrong ID' },
        { id: '00000000-0000-4000-8000-000000000000', name: 'Unknown ID' },
        { slug: 'Not A Slug', name: 'Wrong slug' },
        vail,
      ]),
    ).toEqual([
      'rejected: Account name is required',
      'rejected: Name must be less than 200 characters',
      'rejected: Please select an account type',
      'rejected: Please select an account type',
      'rejected: Account name: Control characters are not allowed',
      'rejected: Account name: Control characters are not allowed',
      'rejected: The row has invalid characters',
      'rejected: City must be less than 100 characters',
      'rejected: The ID is not valid',
      'rejected: No account has this ID. Leave the ID empty to create the account',
      'rejected: The slug is not valid',
      'created',
    ]);
    expect((await accounts()).map(({ name }) => name)).toEqual(['Vail Ski Patrol']);
  });

  it('keeps the values of columns that the file does not have', async () => {
    const full = { ...vail, address: '1 Summit Road', state: 'CO' };
    expect(await importRows([full])).toEqual(['created']);
    const [before] = await accounts();
    for (const [column, value] of Object.entries(before ?? {}))
      if (column !== 'created_by') expect(value, column).not.toBeNull();
    const stored = await fixture.database.query<{ id: string }>(sql`select id from public.accounts`);
    const id = stored[0]?.id ?? '';
    expect(await importRows([{ id, name: vail.name, city: 'Aspen' }])).toEqual(['changed']);
    expect(await accounts()).toEqual([{ ...before, city: 'Aspen' }]);
  });

  it('imports names of 200 characters, right-to-left names, emoji, and names with apostrophes', async () => {
    const names = ['😀'.repeat(200), 'הצלה בים', '救助隊', '救助', "'=SUM(A1)", "'-Ridge", "'quoted'"];
    const rows = names.map((name) => ({ name, account_type: 'enterprise' }));
    expect(await importRows(rows)).toEqual(names.map(() => 'created'));
    expect(await importRows(rows)).toEqual(names.map(() => 'unchanged'));
    const stored = (await accounts()).map(({ name }) => String(name));
    expect(stored.toSorted()).toEqual(names.toSorted());
  });

  it('changes nothing if an export is imported as it is', async () => {
    const names = [
      '=SUM(A1)',
      '-Ridge',
      "'-Ridge",
      "''-Ridge",
      '+47 Rescue',
      '@home',
      "Ann;=cmd|'/C calc'!A0",
      "Ann; '=1",
      'a|-b;+c',
      '＝1',
      '"=1", said Bo',
    ];
    expect(
      await importRows(
        names.map((name, index) => ({ name, account_type: 'enterprise', city: `${name} ${index}` })),
      ),
    ).toEqual(names.map(() => 'created'));
    const before = await accounts();
    const exported = await fixture.call({}, fixture.admin, undefined, 'export-accounts');
    const rows: Cells[] = parse(await exported.text(), {
      bom: true,
      columns: true,
    });
    for (const { name = '' } of rows)
      for (const part of name.split(/[;|]/)) expect(part).not.toMatch(/^[\s"]*[=+\-@＝]/);
    const columns = rows.map(({ id, name, slug, account_type, address, city, state: region, zip_code }) => ({
      id,
      name,
      slug,
      account_type,
      address,
      city,
      state: region,
      zip_code,
    }));
    expect(await importRows(columns)).toEqual(names.map(() => 'unchanged'));
    expect(await accounts()).toEqual(before);
  });

  it('two concurrent imports of one file create each account once', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      name: `Account ${index}`,
      account_type: 'enterprise',
    }));
    const results = await Promise.all([importRows(rows), importRows(rows)]);
    expect(results.flat().filter((outcome) => outcome === 'created')).toHaveLength(50);
    expect(await accounts()).toHaveLength(50);
  });

  it('rejects callers without the role before it reads the body, and bodies beyond the limits', async () => {
    const member = await fixture.createUser();
    const before = await state();
    const call = (body: string, as?: string) => fixture.call(body, as, undefined, 'import-accounts');
    const tooLarge = `{"dry_run":false,"rows":[{"line":1,"name":"${'x'.repeat(2_100_000)}"}]}`;
    expect((await call(tooLarge)).status).toBe(401);
    expect((await call(tooLarge, member)).status).toBe(403);
    expect((await send([vail], false, member)).status).toBe(403);
    expect((await call(tooLarge, fixture.admin)).status).toBe(413);
    const many = await send(Array.from({ length: 501 }, () => vail));
    expect([many.status, await many.json()]).toEqual([
      400,
      { error: 'Send at most 500 rows', code: 'validation_failed' },
    ]);
    for (const body of ['{"rows":[]}', '{"dry_run":false}', '{"dry_run":false,"rows":[{"name":"x"}]}'])
      expect((await call(body, fixture.admin)).status).toBe(400);
    expect(await state()).toEqual(before);
  });

  it('accepts a body larger than those of other functions', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      name: `${index} ${'n'.repeat(190)}`,
      account_type: 'enterprise',
      address: 'a'.repeat(500),
    }));
    const outcomes = await importRows(rows);
    expect(new Set(outcomes)).toEqual(new Set(['created']));
  });
});
