/**
 * The cost of accepted requests. Each shape grows until the service rejects it or its URL is too long; the plan of the
 * largest accepted request must not be large. The embedded engine reports the memory of the planner
 * (`explain (memory)`, since Postgres 17), which grows with most of its work.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Statement, sql } from '@lanternrock/postgres';
import { engines } from '@lanternrock/testing/engines';
import { runs } from '@lanternrock/testing/property-runs';
import { requestShapes, shapeFunctions } from './support/request-shapes.ts';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';

/** Maximum length of a request URL of the server, in characters. */
const maxUrlChars = 32_000;

/** Size of a plan. Postgres plans statements within `limits` in at most 50 ms. */
interface PlanSize {
  /** Memory of the planner. */
  readonly memoryKb: number;
  /** Columns of all steps. */
  readonly columns: number;
  /** Pairs of columns in the aggregations, because the planner looks for equal ones. */
  readonly aggregatePairs: number;
  /** Elements of the lists in all conditions, each of which the planner compares with the statistics of the column. */
  readonly listElements: number;
}
const limits: PlanSize = { memoryKb: 14_000, columns: 15_000, aggregatePairs: 150_000, listElements: 12_000 };

type DatabaseRole = 'authenticated' | 'platform_administrator' | 'service_role';
const roles: readonly DatabaseRole[] = ['authenticated', 'platform_administrator', 'service_role'];

const parts = Object.keys(limits) as (keyof PlanSize)[];

interface PlanStep {
  readonly 'Node Type': string;
  readonly Output?: readonly string[];
  readonly Plans?: readonly PlanStep[];
}

const listSteps = (step: PlanStep): PlanStep[] => [step, ...(step.Plans ?? []).flatMap(listSteps)];

const sum = <Item>(items: readonly Item[], count: (item: Item) => number): number =>
  items.reduce((total, item) => total + count(item), 0);

const counts = ['exact', 'planned', 'estimated'] as const;

describe.skipIf(!engines.includes('embedded'))('the cost of accepted requests', () => {
  let data: RestFixture;
  let statements: Statement[] = [];
  beforeAll(async () => {
    const capture = (statement: Statement): void => {
      // Nothing runs: only the statement of the request is of interest.
      if (!statement.text.includes('num_nonnulls')) {
        statements.push(statement);
        throw new Error('captured');
      }
    };
    data = await openRestFixture('embedded', shapeFunctions, {
      settings: { AGGREGATES: true },
      onStatement: capture,
    });
    // As many distinct values as the planner keeps statistics of.
    await data.database.query(sql`
      insert into public.accounts (name, slug, account_type, city)
      select 'Station ' || md5(n::text), 'slug-' || n, 'organization', 'City ' || n % 100 from generate_series(1, 1000) n`);
    await data.database.query(sql`analyze public.accounts`);
  });
  afterAll(async () => data.close());

  /** Returns the statements of a request; none if it is rejected. */
  async function compile(path: string, count: (typeof counts)[number] | null): Promise<Statement[]> {
    statements = [];
    const separator = path.endsWith('&') ? '' : '&';
    const headers: Record<string, string> = count === null ? {} : { Prefer: `count=${count}` };
    const response = await data.request(`${path}${separator}limit=1`, { headers });
    expect([400, 500], response.text).toContain(response.status);
    if (response.status === 400) expect(response.body).toMatchObject({ code: 'PGRST100' });
    return statements;
  }

  /** Returns the statements of the largest accepted request of a shape. */
  async function largest(
    createPath: (size: number) => string,
    count: (typeof counts)[number] | null,
  ): Promise<{ size: number; statements: Statement[] }> {
    let accepted = { size: 0, statements: new Array<Statement>() };
    let tooLarge = 12_000;
    while (tooLarge - accepted.size > 1) {
      const size = Math.floor((accepted.size + tooLarge) / 2);
      const path = createPath(size);
      const compiled = path.length > maxUrlChars ? [] : await compile(path, count);
      if (compiled.length === 0) tooLarge = size;
      else accepted = { size, statements: compiled };
    }
    return accepted;
  }

  async function planSize({ text, values }: Statement, role: DatabaseRole): Promise<PlanSize> {
    return data.database.transaction(async (tx) => {
      await tx.query({ text: `set local role ${role}`, values: [] });
      const statement = text.replace(/^explain \(format json\) /, '');
      const explain = `explain (verbose, memory, format json) ${statement}`;
      const [row] = await tx.query<{ 'QUERY PLAN': unknown }>({ text: explain, values });
      const plan = row?.['QUERY PLAN'];
      const [parsed] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [
        { Plan: PlanStep; Planning: { 'Memory Used': number } },
      ];
      const steps = listSteps(parsed.Plan);
      const aggregates = steps.filter((step) => step['Node Type'] === 'Aggregate');
      return {
        memoryKb: parsed.Planning['Memory Used'],
        columns: sum(steps, ({ Output: output = [] }) => output.length),
        aggregatePairs: sum(aggregates, ({ Output: output = [] }) => output.length ** 2),
        listElements: sum([...statement.matchAll(/\$(\d+)/g)], ([, slot]) => {
          const value = values[Number(slot) - 1];
          return typeof value === 'string' && value.startsWith('{') ? value.split(',').length : 0;
        }),
      };
    });
  }

  const testedRoles = roles.slice(0, runs({ short: 1, long: roles.length }));
  const testedCounts = [null, ...counts].filter(
    (count) => count === 'exact' || runs({ short: 0, long: 1 }) > 0,
  );

  it.each(Object.entries(requestShapes))(
    'is limited for %s',
    { timeout: 120_000 },
    async (_name, createPath) => {
      for (const count of testedCounts) {
        const { size: accepted, statements: compiled } = await largest(createPath, count);
        expect(accepted).toBeGreaterThan(0);
        for (const role of testedRoles)
          for (const statement of compiled) {
            const size = await planSize(statement, role);
            for (const part of parts)
              expect(size[part], `${part} of ${accepted}, ${count ?? 'no'} count, ${role}`).toBeLessThan(
                limits[part],
              );
          }
      }
    },
  );
});
