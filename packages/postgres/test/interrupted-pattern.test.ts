/** A statement that is canceled while Postgres compiles a regular expression for a trigram index. */
import { QueryError } from '@lanternrock/postgres/errors';
import { sql } from '@lanternrock/postgres';
import { openTestDatabase } from '@lanternrock/testing/engines';
import { expect, it } from 'vitest';

it('has the code of a cancellation, not of an invalid expression', async () => {
  const { database, dispose } = await openTestDatabase('postgres', null);
  await database.query(sql`create extension pg_trgm`);
  await database.query(sql`create table notes (body text)`);
  await database.query(sql`create index on notes using gin (body gin_trgm_ops)`);
  // Compiled in some 10 ms: first by the operator, which keeps the result, then for the index.
  const pattern = '(a|b|c|d){1,100}x(b|c|e){1,100}y(((q|r){1,20}s){1,9}z){1,5}';
  const search = sql`select from notes where body ~ ${pattern}`;
  const codes = new Set<string>();
  for (let timeoutMs = 1; timeoutMs <= 20; timeoutMs += 1)
    await database
      .transaction(async (tx) => {
        await tx.query(sql`set local enable_seqscan = off`);
        await tx.query(sql`select 'x' ~ ${pattern}`);
        await tx.query(sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`);
        await tx.query(search);
      })
      .catch((error: unknown) => {
        if (!(error instanceof QueryError)) throw error;
        codes.add(error.code);
      });
  expect([...codes]).toEqual(['57014']);
  await expect(database.query(sql`select 'x' ~ '('`)).rejects.toMatchObject({ code: '2201B' });
  await dispose();
});
