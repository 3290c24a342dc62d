/** Defaults of the database or its user that the service cannot work with. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { onServer, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';
import { startPgBouncer } from '@lanternrock/testing/pgbouncer';

const options = { poolSize: 2, connectionTimeoutMs: 10_000, onConnectionError: () => {} };

/** A default that the service cannot work with, and the value that its connections have. */
const settings: readonly (readonly [name: string, unsuitable: string, used: string])[] = [
  ['DateStyle', `'SQL, DMY'`, 'ISO, MDY'],
  ['IntervalStyle', 'iso_8601', 'postgres'],
  ['TimeZone', `'Asia/Kathmandu'`, 'UTC'],
  ['array_nulls', 'off', 'on'],
  ['bytea_output', 'escape', 'hex'],
  ['client_encoding', 'latin1', 'UTF8'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['exit_on_error', 'on', 'off'],
  ['extra_float_digits', '-15', '1'],
  ['gin_fuzzy_search_limit', '1', '0'],
  ['idle_session_timeout', `'1s'`, '0'],
  ['lock_timeout', `'1ms'`, '0'],
  ['quote_all_identifiers', 'on', 'off'],
  ['row_security', 'off', 'on'],
  ['search_path', 'private', 'public'],
  ['standard_conforming_strings', 'off', 'on'],
  ['statement_timeout', `'50ms'`, '0'],
  ['synchronous_commit', 'off', 'on'],
  ['transform_null_equals', 'on', 'off'],
];

describe('unsuitable defaults of a database', () => {
  let test: TestDatabase;
  let name: string;
  beforeAll(async () => {
    test = await openTestDatabase('postgres', 'platform');
    name = new URL(test.url).pathname.slice(1);
  });
  afterAll(async () => test.dispose());

  const set = async (superuser: string, values: readonly (readonly [string, string, string])[]) => {
    for (const [setting, value] of values)
      await onServer(superuser, `alter database ${name} set ${setting} = ${value}`);
  };

  it('are replaced on every connection', async () => {
    const { superuserUrl } = inject('postgres');
    await set(superuserUrl, settings);
    const database = await openExternal({ ...options, url: test.url });
    const read = () =>
      database.query<{ name: string; value: string }>(
        sql`select name, current_setting(name) as value from unnest(${settings.map(([setting]) => setting)}::text[]) as name`,
      );
    const expected = settings.map(([setting, , value]) => ({ name: setting, value }));
    const [first, second] = await Promise.all([read(), read()]);
    const written = await database.query(
      sql`select '2026-02-01 10:00+00'::timestamptz as at, interval '90 minutes'::text as span,
                 '\\x00ff'::bytea::text as bytes, 0.1::float8 + 0.2 as sum`,
    );
    await database.close();
    await onServer(superuserUrl, `alter database ${name} reset all`);
    expect(first).toEqual(expected);
    expect(second).toEqual(expected);
    expect(written).toEqual([
      {
        at: new Date('2026-02-01T10:00:00Z'),
        span: '01:30:00',
        bytes: String.raw`\x00ff`,
        sum: 0.30000000000000004,
      },
    ]);
  });

  it('that only a superuser can change are refused by name', async () => {
    const { superuserUrl } = inject('postgres');
    await onServer(superuserUrl, `alter database ${name} set session_replication_role = replica`);
    const opening = openExternal({ ...options, url: test.url });
    await expect(opening).rejects.toMatchObject({
      name: 'OperationalError',
      message: expect.stringMatching(
        /sets session_replication_role to "replica"\. The service needs "origin", and the user of DATABASE_URL must not change it\. Run "alter database/,
      ),
    });
    await onServer(superuserUrl, `alter database ${name} reset session_replication_role`);
  });

  it('that a pooler in transaction mode does not keep are refused by name; others are set', async () => {
    const { superuserUrl } = inject('postgres');
    await set(superuserUrl, [['DateStyle', `'SQL, DMY'`, '']]);
    const pooler = await startPgBouncer(test.url, 'transaction', 2);
    for (const [setting, value] of [
      ['bytea_output', 'escape'],
      ['synchronous_commit', 'off'],
    ] as const) {
      await set(superuserUrl, [[setting, value, '']]);
      await pooler.restart('transaction');
      await expect(openExternal({ ...options, url: pooler.url })).rejects.toMatchObject({
        name: 'OperationalError',
        message: expect.stringMatching(
          new RegExp(
            `sets ${setting} to "${value}"\\. .+, and a pooler in transaction mode does not keep it`,
          ),
        ),
      });
      await onServer(superuserUrl, `alter database ${name} reset ${setting}`);
    }
    // The other values do not lose acknowledged rows.
    await set(superuserUrl, [['synchronous_commit', 'local', '']]);
    await pooler.restart('transaction');
    const database = await openExternal({ ...options, url: pooler.url, resultTimeoutMs: 10_000 });
    const [row] = await database.query<{ at: Date }>(sql`select '2026-02-01 10:00+00'::timestamptz as at`);
    const readLimit = sql`select current_setting('statement_timeout') as value`;
    const limits = [
      await database.query(readLimit),
      await database.transaction((tx) => tx.query(readLimit)),
      await database.maintenance((tx) => tx.query(readLimit)),
    ];
    // A default that is changed while the service runs is refused as well.
    await set(superuserUrl, [['bytea_output', 'escape', '']]);
    await pooler.restart('transaction');
    const read = (): Promise<unknown> => database.query(sql`select 1`).catch((error: unknown) => error);
    await expect.poll(read, { timeout: 30_000 }).toMatchObject({
      name: 'DatabaseUnavailableError',
      message: expect.stringMatching(/bytea_output to "escape"/),
    });
    await database.close();
    await pooler.stop();
    await onServer(superuserUrl, `alter database ${name} reset all`);
    expect(row).toEqual({ at: new Date('2026-02-01T10:00:00Z') });
    expect(limits).toEqual([[{ value: '9s' }], [{ value: '9s' }], [{ value: '0' }]]);
  });
});

it.each(['LATIN1', 'SQL_ASCII'])('a database with the encoding %s is refused', async (encoding) => {
  const { ownerUrl } = inject('postgres');
  const name = `encoding_${encoding.toLowerCase()}_${process.pid}`;
  await onServer(ownerUrl, `create database ${name} template template0 locale 'C' encoding '${encoding}'`);
  const url = new URL(ownerUrl);
  url.pathname = `/${name}`;
  await expect(openExternal({ ...options, url: url.href })).rejects.toMatchObject({
    name: 'OperationalError',
    message: expect.stringContaining(`has the encoding ${encoding}. Create one with UTF8`),
  });
  await onServer(ownerUrl, `drop database ${name}`);
});

it('every error while connecting means that the database is unavailable', async () => {
  const url = new URL(inject('postgres').ownerUrl);
  url.pathname = '/none';
  await expect(openExternal({ ...options, url: url.href })).rejects.toMatchObject({
    name: 'DatabaseUnavailableError',
    message: 'database "none" does not exist',
    cause: expect.any(pg.DatabaseError),
  });
});
