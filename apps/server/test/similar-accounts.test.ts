/** The search for accounts with similar names, with trigrams and by the beginning of the name. */
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SimilarAccountsResponse } from '@lanternrock/contract/similar-accounts';
import { type Database, type Transaction, sql } from '@lanternrock/postgres';
import { migrationDirectories } from '@lanternrock/testing/paths';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';
import { differentPairs, samePairs, type NamePair } from './support/look-alike-pairs.ts';
import { eachEngine } from './support/test-service.ts';

class Undo extends Error {}

/** Runs the work in a transaction that is rolled back. */
const undone = (database: Database, work: (tx: Transaction) => Promise<void>): Promise<void> =>
  database
    .maintenance(async (tx) => {
      await work(tx);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });

/** Repeats the migration as on a server without the extension. */
async function withoutTrigrams(database: Database, tx: Transaction): Promise<void> {
  const [, product] = migrationDirectories;
  const file = path.join(product?.directory ?? '', '20261126000016_similar_accounts.sql');
  const [script = ''] = /^do \$\$\n.*?^\$\$;$/ms.exec(fs.readFileSync(file, 'utf8')) ?? [];
  expect(script).toContain('create function private.similar_accounts');
  await database.script(
    tx,
    `drop extension pg_trgm cascade; drop function private.similar_accounts(text); ${script}`,
  );
}

/** Returns how many of the pairs are found; each existing name is the only account. */
async function countFound(tx: Transaction, pairs: readonly NamePair[]): Promise<number> {
  let found = 0;
  for (const [typed, existing] of pairs) {
    await tx.query(sql`delete from public.accounts`);
    await tx.query(
      sql`insert into public.accounts (name, slug, account_type) values (${existing}, '', 'enterprise')`,
    );
    found += (await tx.query(sql`select from private.similar_accounts(${typed})`)).length;
  }
  return found;
}

async function measure(tx: Transaction): Promise<{ precision: number; recall: number }> {
  const right = await countFound(tx, samePairs);
  const wrong = await countFound(tx, differentPairs);
  return { precision: right / (right + wrong), recall: right / samePairs.length };
}

eachEngine('similar accounts', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
  });
  afterAll(async () => fixture.close());

  it('are found with a precision of 97 % and a recall of 96 % by trigrams', async () => {
    expect(samePairs.length + differentPairs.length).toBeGreaterThanOrEqual(120);
    await undone(fixture.database, async (tx) => {
      const { precision, recall } = await measure(tx);
      console.log(`trigrams: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
      expect(precision).toBeGreaterThanOrEqual(0.97);
      expect(recall).toBeGreaterThanOrEqual(0.96);
    });
  });

  it('are found with a precision of 91 % and a recall of 76 % by the beginning of the name', async () => {
    await undone(fixture.database, async (tx) => {
      await withoutTrigrams(fixture.database, tx);
      const { precision, recall } = await measure(tx);
      console.log(`beginning: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
      expect(precision).toBeGreaterThanOrEqual(0.91);
      expect(recall).toBeGreaterThanOrEqual(0.76);
    });
  });

  it('are found by an index in both ways', async () => {
    const plan = async (tx: Transaction, condition: string): Promise<string> => {
      const lines = await tx.query<{ 'QUERY PLAN': string }>({
        text: `explain select from public.accounts a where ${condition}`,
        values: [],
      });
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    };
    const fill = async (tx: Transaction): Promise<void> => {
      await tx.query(
        sql`insert into public.accounts (name, slug, account_type)
            select md5(n::text) || ' Search and Rescue', '', 'enterprise' from generate_series(1, 5000) n`,
      );
      await tx.query(sql`analyze public.accounts`);
    };
    await undone(fixture.database, async (tx) => {
      await fill(tx);
      const similar = `private.distinctive_name(a.name) operator(extensions.%) 'northern'`;
      expect(await plan(tx, similar)).toContain('accounts_distinctive_trigrams_idx');
    });
    await undone(fixture.database, async (tx) => {
      await withoutTrigrams(fixture.database, tx);
      await fill(tx);
      const begins = `private.comparable_name(a.name) operator(pg_catalog.~>=~) 'northern'
        and private.comparable_name(a.name) operator(pg_catalog.~<~) ('northern' || chr(1114111))`;
      expect(await plan(tx, begins)).toContain('accounts_comparable_name_idx');
    });
  });

  it('are returned by the function with city and ID, the most similar first', async () => {
    const { database, admin, call } = fixture;
    await database.query(
      sql`insert into public.accounts (name, slug, account_type, city) values
          ('North Shore Search and Rescue', 'x', 'enterprise', 'Vancouver'),
          ('North Shore SAR Team', 'x', 'enterprise', null), ('Vail Ski Patrol', 'x', 'enterprise', 'Vail')`,
    );
    const find = (name: unknown, as?: string) => call({ name }, as, undefined, 'similar-accounts');
    const found = async (name: string): Promise<unknown[]> => {
      const { accounts } = (await (await find(name, admin)).json()) as SimilarAccountsResponse;
      return accounts.map(({ name: other, city }) => [other, city]);
    };
    expect(await found('  N. Shore SAR ')).toEqual([
      ['North Shore Search and Rescue', 'Vancouver'],
      ['North Shore SAR Team', null],
    ]);
    for (const name of ['', '?', '%_\\', "'; --", 'Nothing like it', '救助'])
      expect(await found(name)).toEqual([]);
    expect((await find('x', await fixture.createUser())).status).toBe(403);
    expect((await find('x')).status).toBe(401);
    expect((await find('x'.repeat(201), admin)).status).toBe(400);
    expect((await find(7, admin)).status).toBe(400);
  });
});
