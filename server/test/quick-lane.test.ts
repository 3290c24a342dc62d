/** Quick reads share one connection of an external Postgres; nobody notices but by the time it takes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DatabaseFailure,
  DatabaseUnavailable,
  type BatchResult,
  type Statement,
} from '../src/database/database.ts';
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
    test.database.batch([first(8000), main], { planKey: 'test', hurried: (limit) => [first(limit), main] });
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

  it('comes back after its connection was lost, which those feel who used it', async () => {
    const text = `select ${backend}, case when pg_backend_pid() = $1::int then pg_terminate_backend($1::int) end`;
    let before = '';
    let lost: unknown[] = [];
    // On a busy machine it may be one of the others who ran alone.
    await expect
      .poll(async () => {
        before = await shared(text, 0);
        const answers = await Promise.allSettled(times(20, (n) => read(text, n === 10 ? before : 0)));
        lost = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []));
        expect(answers.slice(0, 10).every(({ status }) => status === 'fulfilled')).toBe(true);
        return lost.length;
      })
      .toBeGreaterThan(0);
    for (const reason of lost) expect(reason).toBeInstanceOf(DatabaseUnavailable);
    expect(await shared()).not.toBe(before);
  });

  it('is for reads that say they may run twice', async () => {
    const lane = await shared();
    const plain = [setLimit(8000), { text: `select ${backend}`, values: [] }];
    const answers = await Promise.all(times(10, () => test.database.batch(plain, { planKey: 'test' })));
    expect(answers.map((results) => results[1]?.rows[0]?.[0])).not.toContain(lane);
    const refused = pair(() => ({ text: 'select nothing', values: [] }), { text: 'select 1', values: [] });
    await expect(refused).rejects.toBeInstanceOf(DatabaseFailure);
  });
});
