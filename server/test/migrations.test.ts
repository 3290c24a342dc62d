import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../src/database/sql.ts';
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
});
