/** Quick reads share one connection of an external Postgres; nobody notices but by the time it takes. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { QueryError } from '@lanternrock/postgres/errors';
import { type BatchResult, type Statement } from '@lanternrock/postgres';
import { openExternal } from '@lanternrock/postgres/external';
import { openTestDatabase, type TestDatabase } from './support/engines.ts';

const backend = 'pg_backend_pid()::text';

describe('the connection of quick reads', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase('postgres');
  });
  afterAll(() => test.dispose());

  const setLimit = (limit: number): Statement => ({
    text: `select set_config('statement_timeout', $1, true)`,
    values: [String(limit)],
  });
  const pair = async (first: (limit: number) => Statement, main: Statement): Promise<BatchResult[]> =>
    test.database.batch([first(8000), main], {
      planKey: 'test',
      withStatementTimeout: (limit) => [first(limit), main],
    });
  const read = async (text: string, ...values: unknown[]): Promise<readonly (string | null)[]> =>
    (await pair(setLimit, { text, values }))[1]?.rows[0] ?? [];
  const times = <T>(count: number, work: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => work(index));
  /** Asks until all are answered by one connection. @returns its process */
  const shared = async (text = `select ${backend}`, ...values: unknown[]): Promise<string> => {
    let processes = new Set<string | null | undefined>();
    const ask = async (): Promise<number> => {
      const rows = await Promise.all(times(20, () => read(text, ...values)));
      processes = new Set(rows.map(([pid]) => pid));
      return processes.size;
    };
    await expect.poll(ask).toBe(1);
    return [...processes][0] ?? '';
  };

  it('gives everybody the own answer', async () => {
    const text = `select ${backend}, $1::text`;
    await shared(text, 'anybody');
    const answers = await Promise.all(times(50, (n) => read(text, `caller ${n}`)));
    expect(answers.map((row) => row[1])).toEqual(times(50, (n) => `caller ${n}`));
  });

  it('keeps nothing of one for the next', async () => {
    const told = (n: number) => (): Statement => ({
      text: `select set_config('request.id', $1, true)`,
      values: [`request ${n}`],
    });
    const main = { text: `select ${backend}, coalesce(current_setting('request.id', true), '')`, values: [] };
    await shared(main.text);
    const answers = await Promise.all(times(40, (n) => pair(n % 2 === 0 ? told(n) : setLimit, main)));
    expect(answers.map((results) => results[1]?.rows[0]?.[1])).toEqual(
      times(40, (n) => (n % 2 === 0 ? `request ${n}` : '')),
    );
  });

  it('lets a failure be of the one who made it', async () => {
    const text = `select ${backend}, 12 / $1::int`;
    await shared(text, 3);
    const answers = await Promise.allSettled(times(30, (n) => read(text, n % 3 === 0 ? 0 : 4)));
    for (const [n, answer] of answers.entries()) {
      if (n % 3 === 0) expect(answer).toMatchObject({ reason: expect.objectContaining({ code: '22012' }) });
      else expect(answer).toMatchObject({ value: [expect.anything(), '3'] });
    }
  });

  it('runs what is not done in time again alone, and lets it in no more', async () => {
    const text = `select ${backend}, pg_sleep($1::float8)::text`;
    const lane = await shared(text, 0);
    const [long, ...others] = await Promise.all([read(text, 0.2), ...times(10, () => shared())]);
    expect(long?.[0]).not.toBe(lane);
    expect(new Set(others)).toEqual(new Set([lane]));
    expect((await read(text, 0))[0]).not.toBe(lane);
  });

  it('makes again what an earlier one could not make', async () => {
    await shared();
    const main = { text: `select ${backend}, 'first run alone'`, values: [] };
    await pair(setLimit, main);
    const fails = (): Statement => ({ text: 'select 1 / $1::int', values: [0] });
    const answers = await Promise.allSettled([pair(fails, main), ...times(5, () => pair(setLimit, main))]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', ...times(5, () => 'fulfilled')]);
  });

  it('follows a table that changes', async () => {
    const { database } = test;
    await database.query({ text: 'create table public.boats as select 1 as berth', values: [] });
    const text = `select ${backend}, * from public.boats`;
    await shared(text);
    await database.query({
      text: `alter table public.boats add column name text default 'Gull'`,
      values: [],
    });
    const answers = await Promise.all(times(20, () => read(text)));
    expect(answers.map((row) => row.slice(1))).toEqual(times(20, () => ['1', 'Gull']));
  });

  it('comes back after its connection was lost, which nobody feels', async () => {
    const text = `select ${backend}, case when pg_backend_pid() = $1::int then pg_terminate_backend($1::int) end`;
    // On a busy machine it may be one of those who run alone.
    await expect
      .poll(async () => {
        const before = await shared(text, 0);
        const answers = await Promise.allSettled(times(20, (n) => read(text, n === 10 ? before : 0)));
        expect(answers.map(({ status }) => status)).toEqual(times(20, () => 'fulfilled'));
        return (await shared()) !== before;
      })
      .toBe(true);
  });

  it('lets nobody wait behind others who are never stopped and yet slow', async () => {
    const text = `select ${backend}, pg_sleep($1::float8)::text`;
    const quick = `select ${backend}, 'behind'`;
    const slow = `${text}, 'never stopped'`;
    let lane = '';
    let behind: readonly (string | null)[] = [];
    // On a busy machine they may all run alone.
    await expect
      .poll(async () => {
        lane = await shared(slow, 0);
        await shared(quick);
        const late = Promise.all(times(20, () => read(slow, 0.015)));
        behind = await read(quick);
        return (await late).some(([pid]) => pid === lane);
      })
      .toBe(true);
    expect(behind[0]).not.toBe(lane);
  });

  it('gives up a connection that nobody used for half a minute', async () => {
    const lane = await shared();
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
    const alone = await read(`select ${backend}`).finally(() => later.mockRestore());
    expect(alone[0]).not.toBe(lane);
    const held = { text: 'select pid from pg_stat_activity where pid = $1', values: [lane] };
    await expect.poll(() => test.database.query(held)).toEqual([]);
  });

  it('has ended when the database is closed', async () => {
    const other = await openExternal({
      url: test.url,
      poolSize: 3,
      waitLimit: 10_000,
      onConnectionError: () => {},
    });
    const statements = [
      { text: 'select 1', values: [] },
      { text: `select ${backend}`, values: [] },
    ];
    const ask = async (): Promise<unknown> =>
      (await other.batch(statements, { planKey: 'test', withStatementTimeout: () => statements }))[1]
        ?.rows[0]?.[0];
    await ask();
    await expect.poll(async () => (await ask()) === (await ask())).toBe(true);
    const processes = await Promise.all(times(6, ask));
    await other.close();
    const left = { text: 'select pid from pg_stat_activity where pid = any($1::int[])', values: [processes] };
    expect(await test.database.query(left)).toEqual([]);
  });

  it('keeps nobody from closing the database while its connection opens', async () => {
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

  it('is for reads that say they may run twice', async () => {
    const lane = await shared();
    const plain = [setLimit(8000), { text: `select ${backend}`, values: [] }];
    const answers = await Promise.all(times(10, () => test.database.batch(plain, { planKey: 'test' })));
    expect(answers.map((results) => results[1]?.rows[0]?.[0])).not.toContain(lane);
    const refused = pair(() => ({ text: 'select nothing', values: [] }), { text: 'select 1', values: [] });
    await expect(refused).rejects.toBeInstanceOf(QueryError);
  });
});
