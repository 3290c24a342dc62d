import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../src/database/sql.ts';
import { productSql } from '../src/paths.ts';
import { eachEngine, openTestDatabase, type TestDatabase } from './support/engines.ts';

eachEngine('migrations', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(async () => test.dispose());

  it('made the six product relations', async () => {
    const rows = await test.database.query<{ relname: string }>(
      sql`select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by 1`,
    );
    expect(rows.map((row) => row.relname)).toEqual([
      'account_members',
      'accounts',
      'notification_settings',
      'profiles',
      'user_invitations',
      'user_roles',
    ]);
  });

  it('go on without the search index where the extension cannot be made', async () => {
    const script = fs.readFileSync(path.join(productSql, '20261101000014_search_accounts.sql'), 'utf8');
    await test.database.maintenance(async (tx) => {
      await test.database.script(
        tx,
        `drop extension pg_trgm cascade;
         drop schema extensions;
         create role no_maker;
         grant no_maker to current_user;
         set local role no_maker;`,
      );
      await test.database.script(tx, script);
      await test.database.script(tx, 'reset role; drop role no_maker');
    });
    const indexes = await test.database.query<{ indexname: string }>(
      sql`select indexname::text from pg_indexes where tablename = 'accounts' order by 1`,
    );
    expect(indexes.map((row) => row.indexname)).toEqual([
      'accounts_created_by_idx',
      'accounts_newest_idx',
      'accounts_pkey',
    ]);
  });
});
