/** Shared reads: fast reads use one shared connection of an external Postgres, without an effect on their results. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QueryError } from '@lanternrock/postgres/errors';
import { type BatchResult, type Statement } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';

const backendPid = 'pg_backend_pid()::text';

describe('the shared connection', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase('postgres');
  });
  afterAll(() => test.dispose());

  const setTimeoutMs = (timeoutMs: number): Statement => ({
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(timeoutMs)],
  });
  const runPair = async (first: (timeoutMs: number) => Statement, main: Statement): Promise<BatchResult[]> =>
    test.database.batch([first(8000), main], {
      planKey: 'test',
      withStatementTimeout: (timeoutMs) => [first(timeoutMs), main],
    });
  const read = async (text: string, ...values: unknown[]): Promise<readonly (string | null)[]> =>
    (await runPair(setTimeoutMs, { text, values }))[1]?.rows[0] ?? [];
  const repeat = <T>(count: number, run: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => run(index));
  /** Reads until all reads use one connection. @returns its process ID */
  const waitUntilShared = async (text = `select ${backendPid}`, ...values: unknown[]): Promise<string> => {
    let pids = new Set<string | null | undefined>();
    const readPids = async (): Promise<number> => {
      const rows = await Promise.all(repeat(20, () => read(text, ...values)));
      pids = new Set(rows.map(([pid]) => pid));
      return pids.size;
    };
    await expect.poll(readPids).toBe(1);
    return [...pids][0] ?? '';
  };

  it('returns to each read its own result', async () => {
    const text = `select ${backendPid}, $1::text`;
    await waitUntilShared(text, 'client');
    const results = await Promise.all(repeat(50, (n) => read(text, `client ${n}`)));
    expect(results.map((row) => row[1])).toEqual(repeat(50, (n) => `client ${n}`));
  });

  it('keeps no settings of a read for the next one', async () => {
    const withRequestId = (n: number) => (): Statement => ({
      text: `select set_config('request.id', $1, true)`,
      values: [`request ${n}`],
    });
    const main = {
      text: `select ${backendPid}, coalesce(current_setting('request.id', true), '')`,
      values: [],
    };
    await waitUntilShared(main.text);
    const results = await Promise.all(
      repeat(40, (n) => runPair(n % 2 === 0 ? withRequestId(n) : setTimeoutMs, main)),
    );
    expect(results.map((result) => result[1]?.rows[0]?.[1])).toEqual(
      repeat(40, (n) => (n % 2 === 0 ? `request ${n}` : '')),
    );
  });

  it('fails only the read that causes an error', async () => {
    const text = `select ${backendPid}, 12 / $1::int`;
    await waitUntilShared(text, 3);
    const results = await Promise.allSettled(repeat(30, (n) => read(text, n % 3 === 0 ? 0 : 4)));
    for (const [n, result] of results.entries()) {
      if (n % 3 === 0) expect(result).toMatchObject({ reason: expect.objectContaining({ code: '22012' }) });
      else expect(result).toMatchObject({ value: [expect.anything(), '3'] });
    }
  });

  it('runs a slow read again on a dedicated connection, and no longer shares it', async () => {
    const text = `select ${backendPid}, pg_sleep($1::float8)::text`;
    const sharedPid = await waitUntilShared(text, 0);
    const [long, ...others] = await Promise.all([read(text, 0.2), ...repeat(10, () => waitUntilShared())]);
    expect(long?.[0]).not.toBe(sharedPid);
    expect(new Set(others)).toEqual(new Set([sharedPid]));
    expect((await read(text, 0))[0]).not.toBe(sharedPid);
  });

  it('prepares a statement again if an earlier read of the batch fails', async () => {
    await waitUntilShared();
    const main = { text: `select ${backendPid}, 'first run dedicated'`, values: [] };
    await runPair(setTimeoutMs, main);
    const failingSettings = (): Statement => ({ text: 'select 1 / $1::int', values: [0] });
    const results = await Promise.allSettled([
      runPair(failingSettings, main),
      ...repeat(5, () => runPair(setTimeoutMs, main)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', ...repeat(5, () => 'fulfilled')]);
  });

  it('returns current columns after a table changes', async () => {
    const { database } = test;
    await database.query({ text: 'create table public.boats as select 1 as berth', values: [] });
    const text = `select ${backendPid}, * from public.boats`;
    await waitUntilShared(text);
    await database.query({
      text: `alter table public.boats add column name text default 'Gull'`,
      values: [],
    });
    const results = await Promise.all(repeat(20, () => read(text)));
    expect(results.map((row) => row.slice(1))).toEqual(repeat(20, () => ['1', 'Gull']));
  });

  it('reconnects after a lost connection without failing reads', async () => {
    const text = `select ${backendPid}, case when pg_backend_pid() = $1::int then pg_terminate_backend($1::int) end`;
    // On a busy machine, this read can run on a dedicated connection.
    await expect
      .poll(async () => {
        const before = await waitUntilShared(text, 0);
        const results = await Promise.allSettled(repeat(20, (n) => read(text, n === 10 ? before : 0)));
        expect(results.map(({ status }) => status)).toEqual(repeat(20, () => 'fulfilled'));
        return (await waitUntilShared()) !== before;
      })
      .toBe(true);
  });

  it('runs a read on a dedicated connection while the shared one is busy with slow reads', async () => {
    const text = `select ${backendPid}, pg_sleep($1::float8)::text`;
    const fast = `select ${backendPid}, 'behind'`;
    const slow = `${text}, 'never stopped'`;
    let sharedPid = '';
    let fastRow: readonly (string | null)[] = [];
    // On a busy machine, all of them can run on dedicated connections.
    await expect
      .poll(async () => {
        sharedPid = await waitUntilShared(slow, 0);
        await waitUntilShared(fast);
        const slowReads = Promise.all(repeat(20, () => read(slow, 0.015)));
        fastRow = await read(fast);
        return (await slowReads).some(([pid]) => pid === sharedPid);
      })
      .toBe(true);
    expect(fastRow[0]).not.toBe(sharedPid);
  });

  it('closes after 30 seconds without reads', async () => {
    const sharedPid = await waitUntilShared();
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
    const row = await read(`select ${backendPid}`).finally(() => clock.mockRestore());
    expect(row[0]).not.toBe(sharedPid);
    const connections = { text: 'select pid from pg_stat_activity where pid = $1', values: [sharedPid] };
    await expect.poll(() => test.database.query(connections)).toEqual([]);
  });

  it('closes with the database', async () => {
    const other = await openExternal({
      url: test.url,
      poolSize: 3,
      connectionTimeoutMs: 10_000,
      onConnectionError: () => {},
    });
    const statements = [
      { text: 'select 1', values: [] },
      { text: `select ${backendPid}`, values: [] },
    ];
    const readPids = async (): Promise<unknown> =>
      (await other.batch(statements, { planKey: 'test', withStatementTimeout: () => statements }))[1]
        ?.rows[0]?.[0];
    await readPids();
    await expect.poll(async () => (await readPids()) === (await readPids())).toBe(true);
    const pids = await Promise.all(repeat(6, readPids));
    await other.close();
    const remaining = { text: 'select pid from pg_stat_activity where pid = any($1::int[])', values: [pids] };
    expect(await test.database.query(remaining)).toEqual([]);
  });

  it('does not block closing the database while it connects', async () => {
    const other = await openTestDatabase('postgres');
    const statements = [{ text: 'select pg_sleep(0.05)', values: [] }];
    const reads = [
      other.database.batch(statements),
      other.database.batch(statements, { planKey: 'test', withStatementTimeout: () => statements }),
    ];
    await new Promise(setImmediate);
    await other.dispose();
    expect((await Promise.allSettled(reads)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  });

  it('is used only by reads that can run twice', async () => {
    const sharedPid = await waitUntilShared();
    const plain = [setTimeoutMs(8000), { text: `select ${backendPid}`, values: [] }];
    const results = await Promise.all(repeat(10, () => test.database.batch(plain, { planKey: 'test' })));
    expect(results.map((result) => result[1]?.rows[0]?.[0])).not.toContain(sharedPid);
    const rejected = runPair(() => ({ text: 'select nothing', values: [] }), {
      text: 'select 1',
      values: [],
    });
    await expect(rejected).rejects.toBeInstanceOf(QueryError);
  });
});
