/**
 * The cost of accepted requests. Each shape grows until the service rejects it or its URL is too long; the planner must not
 * use much memory for the largest accepted request. The memory of the planner grows with its work, and the embedded engine
 * reports it (`explain (memory)`, since Postgres 17).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Statement, sql } from '@lanternrock/postgres';
import { engines } from '@lanternrock/testing/engines';
import { runs } from '@lanternrock/testing/property-runs';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';

/** Maximum length of a request URL of the server, in characters. */
const maxUrlChars = 32_000;
/** Maximum memory of the planner, in kB. The same requests planned with less memory take at most 50 ms on Postgres. */
const maxPlannerKb = 12_000;

type DatabaseRole = 'authenticated' | 'platform_administrator' | 'service_role';
const roles: readonly DatabaseRole[] = ['authenticated', 'platform_administrator', 'service_role'];

const list = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join(',');
const repeat = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join('');

/** Returns nested embeds of accounts, innermost without columns. */
const chain = (depth: number, join: string): string =>
  depth === 0 ? '' : `${depth % 2 === 1 ? 'account_members' : 'accounts'}${join}(${chain(depth - 1, join)})`;
const chainNames = ['account_members', 'accounts', 'account_members', 'accounts', 'account_members'];

/** Paths of a request by its size. */
const shapes: Record<string, (size: number) => string> = {
  columns: (n) => `/accounts?select=${list(n, (i) => `a${i}:name::text`)}`,
  'JSON paths': (n) => `/accounts?select=${list(n, (i) => `a${i}:name${'->a'.repeat(10)}`)}`,
  'conditions on a JSON path': (n) => `/accounts?and=(${list(n, () => `name${'->a'.repeat(10)}.eq.1`)})`,
  'computed columns': (n) => `/accounts?select=${list(n, (i) => `a${i}:search_text`)}`,
  'conditions on a computed column': (n) => `/accounts?and=(${list(n, () => 'search_text.eq.x')})`,
  'search of a computed column': (n) =>
    `/accounts?and=(${list(n, () => 'search_text.ilike.*x*')})&order=name`,
  'order by a computed column': (n) => `/accounts?order=${list(n, () => 'search_text')}`,
  'embeds of many': (n) => `/accounts?select=id,${list(n, (i) => `e${i}:account_members(user_id)`)}`,
  'embeds of one': (n) => `/account_members?select=user_id,${list(n, (i) => `e${i}:accounts(id)`)}`,
  'inner embeds of many': (n) => `/accounts?select=id,${list(n, (i) => `e${i}:account_members!inner()`)}`,
  'inner embeds of one': (n) =>
    `/account_members?select=user_id,${list(n, (i) => `e${i}:accounts!inner(id)`)}`,
  'nested embeds': (n) => `/accounts?select=id,${list(n, (i) => `e${i}:account_members(${chain(4, '')})`)}`,
  'nested inner embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members!inner(${chain(4, '!inner')})`)}`,
  'embeds in a spread': (n) =>
    `/account_members?select=...accounts(${list(n, (i) => `e${i}:account_members(user_id)`)})`,
  'order by embeds': (n) =>
    `/account_members?select=${list(n, (i) => `e${i}:accounts(id)`)}&order=${list(n, (i) => `e${i}(name)`)}`,
  'tests of embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members()`)}&and=(${list(n, (i) => `e${i}.is.null`)})`,
  'alternatives of embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members()`)}&or=(${list(n, (i) => `e${i}.not.is.null`)})`,
  'repeated tests of nested embeds': (n) =>
    `/accounts?select=id,${chain(5, '')}` +
    chainNames
      .map((name, depth) => {
        const path = chainNames.slice(0, depth).map((outer) => `${outer}.`);
        return `&${path.join('')}or=(${list(n, () => `${name}.not.is.null`)})`;
      })
      .join(''),
  'alternatives of nested embeds': (n) =>
    `/accounts?select=id,${list(n, (i) => `e${i}:account_members(accounts(account_members()))`)}` +
    `&or=(${list(n, (i) => `e${i}.not.is.null`)},name.eq.x)` +
    repeat(n, (i) => `&e${i}.or=(accounts.not.is.null,user_id.is.null)`) +
    repeat(n, (i) => `&e${i}.accounts.or=(account_members.not.is.null,name.eq.x)`),
  conditions: (n) => `/accounts?and=(${list(n, () => 'name.eq.x')})`,
  alternatives: (n) => `/accounts?or=(${list(n, (i) => `name.eq.${i}`)})`,
  'conditions on a key': (n) => `/accounts?and=(${list(n, (i) => `slug.eq.${i}`)})`,
  'conditions beside an inner embed': (n) =>
    `/accounts?select=id,${chain(3, '!inner')}&and=(${list(n, (i) => `slug.gt.${i}`)})`,
  'groups of indexed columns': (n) =>
    `/accounts?and=(${list(n, (i) => `or(slug.eq.a${i},created_at.eq.2026-01-01)`)})`,
  'groups of one column': (n) => `/accounts?and=(${list(n, (i) => `or(slug.eq.a${i},slug.eq.b${i})`)})`,
  'group parameters': (n) => `/accounts?${repeat(n, (i) => `or=(slug.eq.a${i},slug.gt.b${i})&`)}`,
  'alternatives of groups': (n) => `/accounts?or=(${list(n, (i) => `and(slug.eq.a${i},slug.gt.b${i})`)})`,
  'nested groups': (n) =>
    `/accounts?or=(${'not.and('.repeat(15)}${list(n, (i) => `name.eq.a${i}`)}${')'.repeat(15)})`,
  'searched conditions': (n) =>
    `/accounts?and=(${list(n, (i) => `name.neq.${i}`)},name.ilike.*x*)&order=name`,
  patterns: (n) => `/accounts?and=(${list(n, (i) => `name.ilike.*a${i}*`)})&order=name`,
  'patterns of words': (n) =>
    `/accounts?and=(${list(6, (i) => `name.ilike.*fire station ${i}*`)},${list(n, (i) => `name.ilike.*${i}*`)})&order=name`,
  'list of patterns': (n) => `/accounts?name=ilike(any).{${list(n, (i) => `*${i}*`)}}&order=name`,
  'list of values': (n) => `/accounts?city=in.(${list(n, () => '1')})`,
  'list of values in a search': (n) => `/accounts?city=in.(${list(n, () => '1')})&name=ilike.*x*&order=name`,
  'list of limits': (n) => `/accounts?city=gt(any).{${list(n, () => '1')}}`,
  lists: (n) => `/accounts?and=(${list(n, (i) => `city.in.(${list(90, () => String(i % 10))})`)})`,
  'text searches': (n) => `/accounts?and=(${list(n, (i) => `name.wfts(english).a${i}`)})`,
  'columns of a view': (n) => `/user_invitations?select=${list(n, (i) => `a${i}:email`)}`,
};

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
    data = await openRestFixture('embedded', '', {}, capture);
    // Enough distinct values that the planner compares conditions with statistics.
    await data.database.query(sql`
      insert into public.accounts (name, slug, account_type, city)
      select 'Station ' || md5(n::text), 'slug-' || n, 'organization', 'City ' || n % 300 from generate_series(1, 1000) n`);
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

  /** Returns the memory that the planner uses for a statement, in kB. */
  async function plannerMemory({ text, values }: Statement, role: DatabaseRole): Promise<number> {
    return data.database.transaction(async (tx) => {
      await tx.query({ text: `set local role ${role}`, values: [] });
      const explain = `explain (memory, format json) ${text.replace(/^explain \(format json\) /, '')}`;
      const [row] = await tx.query<{ 'QUERY PLAN': unknown }>({ text: explain, values });
      const plan = row?.['QUERY PLAN'];
      const [parsed] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as [
        { Planning: { 'Memory Used': number } },
      ];
      return parsed.Planning['Memory Used'];
    });
  }

  const testedRoles = roles.slice(0, runs({ short: 1, long: roles.length }));
  const testedCounts = [null, ...counts].filter(
    (count) => count === 'exact' || runs({ short: 0, long: 1 }) > 0,
  );

  it.each(Object.entries(shapes))('is limited for %s', { timeout: 120_000 }, async (_name, createPath) => {
    for (const count of testedCounts) {
      const { size, statements: compiled } = await largest(createPath, count);
      expect(size).toBeGreaterThan(0);
      for (const role of testedRoles)
        for (const statement of compiled) {
          const memory = await plannerMemory(statement, role);
          expect(memory, `${size} of it, ${count ?? 'no'} count, ${role}`).toBeLessThan(maxPlannerKb);
        }
    }
  });
});
