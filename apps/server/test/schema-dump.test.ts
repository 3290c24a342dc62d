import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { dumpSchema } from './support/schema-dump.ts';

const file = fileURLToPath(new URL('../../../db/schema.sql', import.meta.url));

eachEngine('db/schema.sql', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(async () => test.dispose());

  it('matches the schema that the migrations create', { tags: ['RLS-00'] }, async () => {
    const dump = await dumpSchema(test.database);
    if (process.env['GENERATE']) fs.writeFileSync(file, dump);
    expect(dump).toBe(fs.readFileSync(file, 'utf8'));
  });

  it('has no unlogged table, which a promotion or a crash empties', async () => {
    const unlogged = await test.database.query(
      sql`select oid::regclass::text as name from pg_catalog.pg_class where relpersistence = 'u'`,
    );
    expect(unlogged).toEqual([]);
  });
});
