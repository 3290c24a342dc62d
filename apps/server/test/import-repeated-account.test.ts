/** Rows of an import that name the same account, and accounts that one row could name. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createRepeatCheck, type ImportRow } from '@lanternrock/contract/account-import';
import { type Statement, type Transaction, sql } from '@lanternrock/postgres';
import { openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { importAccounts } from '../src/accounts/import-accounts.ts';
import { eachEngine } from './support/test-service.ts';

eachEngine('rows of an import that name the same account', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(async () => test.dispose());
  beforeEach(async () => {
    await test.database.query(sql`delete from public.accounts`);
  });

  type Cells = Omit<ImportRow, 'line'>;
  const type = { account_type: 'enterprise' };

  /** Imports one file in batches. Lines start at 2. */
  const importFile = async (...batches: readonly (readonly Cells[])[]): Promise<string[]> => {
    const findRepeat = createRepeatCheck();
    let line = 1;
    const outcomes: string[] = [];
    for (const batch of batches) {
      const rows = batch.map((cells) => ({ line: (line += 1), ...cells }));
      const results = await test.database.transaction((tx) =>
        importAccounts(tx, rows, { createdBy: null, findRepeat }),
      );
      outcomes.push(...results.map(({ outcome, reason }) => reason ?? outcome));
    }
    return outcomes;
  };
  const create = async (name: string, slug: string, city: string | null = null): Promise<string> => {
    const [row] = await test.database.query<{ id: string }>(
      sql`insert into public.accounts (name, slug, account_type, city) values (${name}, ${slug}, 'enterprise', ${city})
          returning id`,
    );
    return row?.id ?? '';
  };
  const stored = async (): Promise<string[]> => {
    const rows = await test.database.query<{ name: string; city: string | null }>(
      sql`select name, city from public.accounts order by name, city nulls first`,
    );
    return rows.map(({ name, city }) => (city === null ? name : `${name} (${city})`));
  };

  it('rejects the later row, by ID and by slug, and names both lines', async () => {
    const id = await create('North', 'north');
    expect(
      await importFile([
        { id, name: 'North 1' },
        { slug: 'north', name: 'North 2' },
        { id, name: 'North 3' },
      ]),
    ).toEqual([
      'changed',
      'Line 3 names the same account as line 2',
      'Line 4 names the same account as line 2',
    ]);
    expect(await stored()).toEqual(['North 1']);
  });

  it('rejects the later of two rows that would create one account, also in another batch', async () => {
    const rows = [
      { name: 'North', ...type },
      { name: ' NORTH ', ...type },
    ];
    expect(await importFile(rows, rows)).toEqual([
      'created',
      'Line 3 names the same account as line 2',
      'Line 4 names the same account as line 2',
      'Line 5 names the same account as line 2',
    ]);
    expect(await stored()).toEqual(['North']);
  });

  it('rejects a row whose slug an earlier row creates', async () => {
    const explicit = { slug: 'north', name: 'Northern', ...type };
    const derived = { name: 'North', ...type };
    expect(await importFile([explicit, derived])).toEqual([
      'created',
      'Line 3 names the same account as line 2',
    ]);
    await test.database.query(sql`delete from public.accounts`);
    expect(await importFile([derived], [explicit])).toEqual([
      'created',
      'Line 3 names the same account as line 2',
    ]);
    expect(await stored()).toEqual(['North']);
  });

  it('creates accounts of one name in two cities, and finds each of them again', async () => {
    const rows = [
      { name: 'North', city: 'Vail', ...type },
      { name: 'North', city: 'Aspen', ...type },
      { name: 'North', city: '', ...type },
    ];
    expect(await importFile(rows)).toEqual(['created', 'created', 'created']);
    expect(await importFile(rows)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await stored()).toEqual(['North', 'North (Aspen)', 'North (Vail)']);
    // Without a column for the city, the name is not enough.
    expect(await importFile([{ name: 'North', ...type }])).toEqual([
      '3 accounts have this name. Add the ID of one of them',
    ]);
  });

  it('creates two accounts whose names differ but give one slug', async () => {
    const rows = [
      { name: 'North!', ...type },
      { name: 'North', ...type },
    ];
    expect(await importFile(rows)).toEqual(['created', 'created']);
    expect(await importFile(rows)).toEqual(['unchanged', 'unchanged']);
  });

  it('rejects a slug and a name of two existing accounts, and changes neither', async () => {
    await create('North', 'north', 'Vail');
    await create('North', 'north', 'Vail');
    expect(
      await importFile([
        { slug: 'north', name: 'Changed' },
        { name: 'North', city: 'Vail' },
      ]),
    ).toEqual([
      '2 accounts have the slug "north". Add the ID of one of them',
      '2 accounts have this name. Add the ID of one of them',
    ]);
    expect(await stored()).toEqual(['North (Vail)', 'North (Vail)']);
  });

  it('leaves an account alone that another client changes after it is read', async () => {
    const id = await create('North', 'north');
    const results = await test.database.transaction(async (tx) => {
      const interrupted: Transaction = {
        query: async <Row extends object>(statement: Statement) => {
          const rows = await tx.query<Row>(statement);
          if (statement.text.includes('wanted'))
            await tx.query(sql`update public.accounts set city = 'Vail' where id = ${id}`);
          return rows;
        },
      };
      const rows = [{ line: 2, id, name: 'North 1' }];
      return importAccounts(interrupted, rows, {
        createdBy: null,
        findRepeat: createRepeatCheck(),
      });
    });
    expect(results).toEqual([
      {
        line: 2,
        outcome: 'rejected',
        reason: 'The account was changed during the import. Import the row again',
      },
    ]);
    expect(await stored()).toEqual(['North (Vail)']);
  });
});
