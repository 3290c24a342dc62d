/** Property test of shared reads: in any combination, each read gets its own result or error. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QueryError, DatabaseUnavailableError } from '@lanternrock/postgres/errors';
import type { BatchResult } from '@lanternrock/postgres';
import { openTestDatabase, onServer, type TestDatabase } from '@lanternrock/testing/engines';
import { runs, seed } from '@lanternrock/testing/property-runs';

const script = `
  create table public.berths (id integer primary key);
  create table public.moored (berth integer references public.berths deferrable initially deferred);
  create table public.changing as select 1 as first;
  create function public.loud(said text) returns text language plpgsql as
    $$ begin raise notice '%', said; return said; end $$;
  grant execute on function public.loud to anon, authenticated;
  grant all on public.moored, public.changing to anon, authenticated;
  grant select on public.berths to anon, authenticated;`;

const ownColumns = `select $1::text, current_setting('request.id'), current_user::text`;
/** Statements by kind. The value of each is the name of the client; statements with a code fail with it. */
const kinds: Record<string, { text: (n: number) => string; code?: string; value?: string }> = {
  quick: { text: (n) => `${ownColumns}, ${n % 4}` },
  fresh: { text: (n) => `${ownColumns}, 'fresh ${n}'` },
  slow: { text: () => `${ownColumns}, pg_sleep(0.03)` },
  slower: { text: () => `${ownColumns}, pg_sleep(0.015)` },
  loud: { text: () => `${ownColumns}, public.loud($1)` },
  long: { text: () => `${ownColumns}, repeat('.', 200000)` },
  table: { text: () => `${ownColumns}, c.* from public.changing c` },
  nothing: { text: () => '' },
  scope: { text: (n) => `${ownColumns}, ${n % 4}`, code: '22012' },
  parse: { text: (n) => `${ownColumns}, nothing_${n % 4}`, code: '42703' },
  bind: { text: () => `select $1::integer`, code: '22P02' },
  execute: { text: () => `select 1 / (length($1) - length($1))`, code: '22012' },
  sync: { text: () => `insert into public.moored select 1 where $1 <> ''`, code: '23503' },
};

interface Call {
  readonly kind: string;
  readonly n: number;
  readonly role: string;
}
const arbitraryCall: fc.Arbitrary<Call> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant('quick') },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(kinds)) },
  ),
  n: fc.nat(300),
  role: fc.constantFrom('anon', 'authenticated'),
});
interface Outcome {
  readonly name: string;
  readonly call: Call;
  readonly result: PromiseSettledResult<BatchResult[]>;
  /** True if connections were terminated during the run. */
  readonly mayBeLost: boolean;
}

/** Calls in one turn of the event loop, after an optional table change or termination of connections. */
const arbitraryTurn = fc.record({
  before: fc.oneof({ weight: 6, arbitrary: fc.constant('') }, fc.constantFrom('change', 'terminate')),
  calls: fc.array(arbitraryCall, { minLength: 1, maxLength: 25 }),
});

describe('concurrent reads of all kinds', () => {
  let test: TestDatabase;
  let callCount = 0;
  beforeAll(async () => {
    test = await openTestDatabase('postgres');
    await onServer(test.url, script);
  });
  afterAll(() => test.dispose());

  const run = (name: string, { kind, n, role }: Call): Promise<BatchResult[]> => {
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
  const check = ({ name, call, result, mayBeLost }: Outcome): void => {
    const { kind, role } = call;
    const code = kinds[kind]?.code;
    if (result.status === 'fulfilled') {
      const rows = (result.value[1]?.rows ?? []).map((row) => row.slice(0, 3));
      const expected = kind === 'nothing' ? [] : [[name, name, role]];
      expect({ kind, rows, code }).toEqual({ kind, rows: expected, code: undefined });
    } else if (!(mayBeLost && result.reason instanceof DatabaseUnavailableError)) {
      expect(result.reason).toBeInstanceOf(QueryError);
      expect({ kind, code: (result.reason as QueryError).code }).toEqual({ kind, code });
    }
  };
  const changes: Record<string, () => Promise<void>> = {
    change: () => onServer(test.url, `alter table public.changing add column c${(callCount += 1)} integer`),
    // Waits for the end of each process: a busy server could otherwise end it during the next property run.
    terminate: () =>
      onServer(
        test.url,
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
      ),
  };

  const select = (text: string): Promise<object[]> => test.database.query({ text, values: [] });
  /** @returns the maximum number of prepared statements of a connection in use */
  const countPrepared = async (): Promise<number> => {
    const count = { text: 'select count(*) from pg_prepared_statements', values: [] };
    const results = await Promise.all(
      Array.from({ length: 30 }, () =>
        test.database.batch([count], { planKey: 'anon', withStatementTimeout: () => [count] }),
      ),
    );
    return Math.max(...results.map(([result]) => Number(result?.rows[0]?.[0])));
  };
  const isWorking = (): Promise<boolean> =>
    Promise.all(Array.from({ length: 10 }, () => select('select 1'))).then(
      () => true,
      () => false,
    );

  it('returns to each read its own result or error', { timeout: 900_000 }, async () => {
    const property = fc.asyncProperty(
      fc.array(arbitraryTurn, { minLength: 1, maxLength: 8 }),
      async (turns) => {
        const mayBeLost = turns.some(({ before }) => before === 'terminate');
        const outcomes: Promise<Outcome>[] = [];
        for (const { before, calls } of turns) {
          await changes[before]?.();
          for (const call of calls) {
            const name = `client ${(callCount += 1)}`;
            const settled = Promise.allSettled([run(name, call)]);
            outcomes.push(settled.then(([result]) => ({ name, call, result, mayBeLost })));
          }
          // Messages of the next turn overlap with responses of this one.
          await new Promise(setImmediate);
        }
        for (const outcome of await Promise.all(outcomes)) check(outcome);
        await expect.poll(isWorking).toBe(true);
      },
    );
    await fc.assert(property, { seed, numRuns: runs({ short: 25, long: 500 }) });
    expect(await select('select * from public.moored')).toEqual([]);
    for (let n = 0; n < 2000; n += 50) {
      const createCall = (index: number): Call => ({ kind: 'fresh', n: (n + index) % 200, role: 'anon' });
      await Promise.all(Array.from({ length: 50 }, (_, index) => run('client', createCall(index))));
    }
    // The maximum of each of two roles, plus statements that the next message deallocates.
    expect(await countPrepared()).toBeLessThanOrEqual(2 * 150 + 50);
  });
});
