/** Shared reads of many clients: in any combination, each read gets its own result or error. */
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

const clientColumns = `select $1::text, current_setting('request.id'), current_user::text`;
/** Statements by kind. Parameter 1 is the name of the client. A kind with a code fails with that SQLSTATE. */
const kinds: Record<string, { text: (n: number) => string; code?: string }> = {
  quick: { text: (n) => `${clientColumns}, ${n % 4}` },
  fresh: { text: (n) => `${clientColumns}, 'fresh ${n}'` },
  aboveTimeout: { text: () => `${clientColumns}, pg_sleep(0.03)` },
  belowTimeout: { text: () => `${clientColumns}, pg_sleep(0.015)` },
  loud: { text: () => `${clientColumns}, public.loud($1)` },
  long: { text: () => `${clientColumns}, repeat('.', 200000)` },
  table: { text: () => `${clientColumns}, c.* from public.changing c` },
  nothing: { text: () => '' },
  settings: { text: (n) => `${clientColumns}, ${n % 4}`, code: '22012' },
  parse: { text: (n) => `${clientColumns}, nothing_${n % 4}`, code: '42703' },
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
  let sequence = 0;
  const nextNumber = (): number => (sequence += 1);
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
      values: [name, String(limit), role, kind === 'settings' ? 0 : 1],
    });
    return test.database.batch([first(8000), main], {
      planKey: role,
      withStatementTimeout: (limit) => [first(limit), main],
    });
  };
  const expectOutcome = ({ name, call, result, mayBeLost }: Outcome): void => {
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
    change: () => onServer(test.url, `alter table public.changing add column c${nextNumber()} integer`),
    // Waits for the end of each process: a busy server could otherwise end it while the next example runs.
    terminate: () =>
      onServer(
        test.url,
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
      ),
  };

  const select = (text: string): Promise<object[]> => test.database.query({ text, values: [] });
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
            const name = `client ${nextNumber()}`;
            const settled = Promise.allSettled([run(name, call)]);
            outcomes.push(settled.then(([result]) => ({ name, call, result, mayBeLost })));
          }
          // Messages of the next turn overlap with responses of this one.
          await new Promise(setImmediate);
        }
        for (const outcome of await Promise.all(outcomes)) expectOutcome(outcome);
        await expect.poll(isWorking).toBe(true);
      },
    );
    await fc.assert(property, { seed, numRuns: runs({ short: 25, long: 500 }) });
    expect(await select('select * from public.moored')).toEqual([]);
  });

  it('keeps the prepared statements of each role below a total size', async () => {
    const batchSize = 50;
    const createText = (n: number): string => `select ${n} /* ${'x'.repeat(2000)} */`;
    const read = (role: string, text: string): Promise<BatchResult[]> => {
      const batch = [{ text, values: [] }];
      return test.database.batch(batch, { planKey: role, withStatementTimeout: () => batch });
    };
    for (let n = 0; n < 1000; n += batchSize) {
      for (const role of ['anon', 'authenticated'])
        await Promise.all(Array.from({ length: batchSize }, (_, index) => read(role, createText(n + index))));
    }
    const measure = 'select coalesce(sum(length(statement)), 0) from pg_prepared_statements';
    const results = await Promise.all(Array.from({ length: 30 }, () => read('anon', measure)));
    const bytes = Math.max(...results.map(([result]) => Number(result?.rows[0]?.[0])));
    // 64 KiB of text per role, plus the statements that the next batch closes.
    expect(bytes).toBeLessThanOrEqual(2 * 65_536 + batchSize * createText(1000).length);
    expect(bytes).toBeGreaterThan(65_536);
  });
});
