/** Responses of the Functions API to errors of the database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { openAdminFixture, type AdminFixture } from './support/invitation-fixture.ts';

const ann = { email: 'ann@example.org', full_name: 'Ann Lee' };

eachEngine('a function whose statement fails', (engine) => {
  let fixture: AdminFixture;
  beforeAll(async () => {
    fixture = await openAdminFixture(engine);
    await runScript(`create function private.fail() returns trigger language plpgsql as
      $$ begin raise exception 'internal details' using errcode = tg_argv[0]; end $$`);
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.reset());

  const runScript = (script: string): Promise<void> =>
    fixture.database.maintenance((tx) => fixture.database.script(tx, script));

  const conflict = { code: 'conflict', error: 'Another change was made at the same time. Try again.' };
  const unavailable = {
    code: 'database_unavailable',
    error: 'The database is unavailable. Try again in a moment.',
  };
  const timedOut = {
    code: 'database_timeout',
    error: 'The database took too long. Try again in a moment.',
  };
  const full = {
    code: 'database_full',
    error: 'The database has no free disk space, memory or file descriptors. Try again later.',
  };
  const unsupported = {
    code: 'validation_failed',
    error: 'A value of the request is not supported.',
  };
  const unexpected = { code: 'unexpected_failure', error: 'Unexpected error.' };

  it.each([
    ['a serialization failure', '40001', 503, { ...conflict, retry_after: 1 }],
    ['a deadlock', '40P01', 503, { ...conflict, retry_after: 1 }],
    ['a terminated connection', '57P01', 503, { ...unavailable, retry_after: 1 }],
    ['a statement timeout', '57014', 503, { ...timedOut, retry_after: 1 }],
    ['a lock timeout', '55P03', 503, { ...timedOut, retry_after: 1 }],
    ['a full disk', '53100', 503, { ...full, retry_after: 1 }],
    ['a value that it does not support', '22021', 400, unsupported],
    ['an internal error', 'XX000', 500, unexpected],
  ])('responds to %s, changes nothing, and a retry succeeds', async (_name, code, status, body) => {
    await runScript(`create trigger fail before insert on private.invitations
      for each row execute function private.fail('${code}')`);
    const failed = await fixture.call(ann, fixture.admin);
    await runScript('drop trigger fail on private.invitations');
    expect([failed.status, await failed.json()]).toEqual([status, body]);
    expect(failed.headers.get('Retry-After')).toBe(status === 503 ? '1' : null);
    expect(await fixture.database.query(sql`select 1 from private.invitations`)).toEqual([]);
    expect((await fixture.call(ann, fixture.admin)).status).toBe(200);
  });

  it.each([
    ['list-activity', { record: '\0' }],
    ['export-activity', { format: 'csv', record: '\0' }],
    ['plan-invitations', { emails: ['a\0@example.org'] }],
    [
      'set-account-status',
      { account_id: randomUUID(), status: 'active', updated_at: '9999-12-31T23:59:59-23:59' },
    ],
  ])('responds to a value for %s that the database does not support', async (name, body) => {
    const response = await fixture.call(body, fixture.admin, {}, name);
    expect([response.status, await response.json()]).toEqual([400, unsupported]);
  });
});
