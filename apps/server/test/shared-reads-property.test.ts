/** Reads that share a connection, in any mixture: every answer and every failure is the own one. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryError, DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { BatchResult } from '@lanternrock/postgres';
import { openTestDatabase, onServer, type TestDatabase } from './support/engines.ts';
import { runs, seed } from './support/property-runs.ts';

const script = `
  create table public.berths (id integer primary key);
  create table public.moored (berth integer references public.berths deferrable initially deferred);
  create table public.changing as select 1 as first;
  create function public.loud(said text) returns text language plpgsql as
    $$ begin raise notice '%', said; return said; end $$;
  grant execute on function public.loud to anon, authenticated;
  grant all on public.moored, public.changing to anon, authenticated;
  grant select on public.berths to anon, authenticated;`;

const own = `select $1::text, current_setting('request.id'), current_user::text`;
/** Texts by what they do; each gets the caller's name as its value, and those with a code fail with it. */
const kinds: Record<string, { text: (n: number) => string; code?: string; value?: string }> = {
  quick: { text: (n) => `${own}, ${n % 4}` },
  fresh: { text: (n) => `${own}, 'fresh ${n}'` },
  slow: { text: () => `${own}, pg_sleep(0.03)` },
  slower: { text: () => `${own}, pg_sleep(0.015)` },
  loud: { text: () => `${own}, public.loud($1)` },
  long: { text: () => `${own}, repeat('.', 200000)` },
  table: { text: () => `${own}, c.* from public.changing c` },
  nothing: { text: () => '' },
  scope: { text: (n) => `${own}, ${n % 4}`, code: '22012' },
  parse: { text: (n) => `${own}, nothing_${n % 4}`, code: '42703' },
  bind: { text: () => `select $1::integer`, code: '22P02' },
  execute: { text: () => `select 1 / (length($1) - length($1))`, code: '22012' },
  sync: { text: () => `insert into public.moored select 1 where $1 <> ''`, code: '23503' },
};

interface Call {
  readonly kind: string;
  readonly n: number;
  readonly role: string;
}
const call: fc.Arbitrary<Call> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('quick') },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(kinds)) },
  ),
  n: fc.nat(300),
  role: fc.constantFrom('anon', 'authenticated'),
});
interface Answered {
  readonly name: string;
  readonly asks: Call;
  readonly answer: PromiseSettledResult<BatchResult[]>;
  /** Connections were ended meanwhile. */
  readonly mayBeLost: boolean;
}

/** What is asked in one turn of the event loop, after the tables were changed or connections were ended. */
const turn = fc.record({
  before: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom('change', 'terminate')),
  calls: fc.array(call, { minLength: 1, maxLength: 25 }),
});

describe('reads of every kind at once', () => {
  let test: TestDatabase;
  let asked = 0;
  beforeAll(async () => {
    test = await openTestDatabase('postgres');
    await onServer(test.url, script);
  });
  afterAll(() => test.dispose());

  const ask = (name: string, { kind, n, role }: Call): Promise<BatchResult[]> => {
    const main = { text: kinds[kind]?.text(n) ?? '', values: kind === 'nothing' ? [] : [name] };
    const first = (limit: number) => ({
      text: `select 1 / $4::integer, set_config('request.id', $1, true),
        set_config('statement_timeout', $2, true), set_config('role', $3, true)`,
      values: [name, String(limit), role, kind === 'scope' ? 0 : 1],
    });
    return test.database.batch([first(8000), main], {
      planKey: role,
      withStatementTimeout: (limit) => [first(limit), main],
    });
  };
  const check = ({ name, asks, answer, mayBeLost }: Answered): void => {
    const { kind, role } = asks;
    const code = kinds[kind]?.code;
    if (answer.status === 'fulfilled') {
      const rows = (answer.value[1]?.rows ?? []).map((row) => row.slice(0, 3));
      const expected = kind === 'nothing' ? [] : [[name, name, role]];
      expect({ kind, rows, code }).toEqual({ kind, rows: expected, code: undefined });
    } else if (!(mayBeLost && answer.reason instanceof DatabaseUnavailableError)) {
      expect(answer.reason).toBeInstanceOf(QueryError);
      expect({ kind, code: (answer.reason as QueryError).code }).toEqual({ kind, code });
    }
  };
  const prepare: Record<string, () => Promise<void>> = {
    change: () => onServer(test.url, `alter table public.changing add column c${(asked += 1)} integer`),
    terminate: () =>
      onServer(
        test.url,
        `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
      ),
  };

  const select = (text: string): Promise<object[]> => test.database.query({ text, values: [] });
  /** @returns the most that any of the connections holds which answer now */
  const prepared = async (): Promise<number> => {
    const count = { text: 'select count(*) from pg_prepared_statements', values: [] };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        test.database.batch([count], { planKey: 'anon', withStatementTimeout: () => [count] }),
      ),
    );
    return Math.max(...answers.map(([result]) => Number(result?.rows[0]?.[0])));
  };
  const works = (): Promise<boolean> =>
    Promise.all(Array.from({ length: 10 }, () => select('select 1'))).then(
      () => true,
      () => false,
    );

  it('gives everybody the own answer or the own failure', async () => {
    const property = fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 8 }), async (turns) => {
      const mayBeLost = turns.some(({ before }) => before === 'terminate');
      const answers: Promise<Answered>[] = [];
      for (const { before, calls } of turns) {
        await prepare[before]?.();
        for (const asks of calls) {
          const name = `caller ${(asked += 1)}`;
          const settled = Promise.allSettled([ask(name, asks)]);
          answers.push(settled.then(([answer]) => ({ name, asks, answer, mayBeLost })));
        }
        // The next turn's messages meet answers of this one.
        await new Promise(setImmediate);
      }
      for (const answer of await Promise.all(answers)) check(answer);
      await expect.poll(works).toBe(true);
    });
    await fc.assert(property, { seed, numRuns: runs({ short: 25, long: 500 }) });
    expect(await select('select * from public.moored')).toEqual([]);
    for (let n = 0; n < 2000; n += 50) {
      const asks = (index: number): Call => ({ kind: 'fresh', n: (n + index) % 200, role: 'anon' });
      await Promise.all(Array.from({ length: 50 }, (_, index) => ask('anybody', asks(index))));
    }
    // As many as are kept for each of two roles, and those that the next message of all ends.
    expect(await prepared()).toBeLessThanOrEqual(2 * 150 + 50);
  });
});
