/**
 * The cost of rejected requests. For each endpoint and role, an expensive rejected request runs no more statements than a
 * minimal one, its body is not read before the privilege check, it leaves no prepared statement, and its allocation is
 * limited. The endpoints come from the route table of the application and from the catalog. Those of the Auth API are not
 * in this table: `packages/auth/test/endpoints.test.ts` checks them.
 */
import { randomUUID } from 'node:crypto';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { recordQueries } from '@lanternrock/auth/test-support/work-recorder';
import { measureAllocation } from '@lanternrock/testing/measure-allocation';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const apis = ['/functions/v1', '/rest/v1'];
/** Public paths. They parse nothing, and their response does not depend on the role. */
const publicPaths = new Set(['/rest/v1/']);

const roles = ['anon', 'member', 'administrator', 'service_role'] as const;
type Role = (typeof roles)[number];

interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** Columns of the relation; empty for other endpoints. */
  readonly columns: readonly string[];
}

/** Returns true for the session watch, which any signed-in user can use. */
const isAllowed = (role: Role, { path }: Endpoint): boolean =>
  role !== 'anon' && path.endsWith('/session-watch');

interface Cost {
  readonly status: number;
  readonly statements: readonly string[];
  /** Number of bytes of the body that the service read. */
  readonly bytesRead: number;
  readonly text: string;
}

const list = (count: number, createItem: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => createItem(index)).join(',');

/** Returns a query of 30 kB at the limits of the parser: 100 embeds in 5 levels and many conditions and order terms. */
function expensiveQuery(seed: number): string {
  const embeds = list(19, (n) => `e${seed}_${n}:a(b(c(d(e(*,x,y->z->>0)))))`);
  const conditions = list(900, (n) => `c${n}.not.in.(1,2)`);
  return `select=*,${embeds}&or=(${conditions})&order=${list(100, (n) => `o${n}.desc`)}&on_conflict=id,code&columns=a,b&id=eq.x&limit=1`;
}

/**
 * Returns a long query whose names exist, so that only Postgres can reject the request. Its statement has less than 8 kB,
 * the maximum for a named statement.
 */
const expensiveValidQuery = (columns: readonly string[], seed: number): string =>
  `select=${list(60, (n) => `a${seed}_${n}:${columns[n % columns.length]}`)}`;

const plainBody = '{}';
/** 900 kB, which take 0.3 s to parse. */
const expensiveBody = `[${list(300_000, () => '{}')}]`;
/** The maximum number of objects. */
const expensiveValidBody = `[${list(50_000, () => '{}')}]`;

interface RequestContent {
  readonly query: string;
  readonly body: string;
}

/** Returns a request at the limits of the parser, and for a relation also one that only Postgres can reject. */
function expensiveRequests({ method, columns }: Endpoint, seed: number): RequestContent[] {
  const parsed = { query: expensiveQuery(seed), body: expensiveBody };
  if (columns.length === 0) return [parsed];
  const body = method === 'POST' ? expensiveValidBody : plainBody;
  return [parsed, { query: expensiveValidQuery(columns, seed), body }];
}

/** A rejected request can cause a reload of the schema cache, whose statements are always the same. */
const isOfSchemaCache = (text: string): boolean =>
  text.includes('plan_cache_mode') || text.includes('pg_catalog.pg_');

/** Maximum allocation of a request that is rejected before its query and its body are parsed, in bytes. */
const maxEarlyAllocation = 2_000_000;
/** Maximum allocation of any rejected request. The largest body of empty objects takes 20 MB to parse. */
const maxAllocation = 40_000_000;

const measureNothing: typeof measureAllocation = async (action) => ({
  ...(await action()),
  allocatedBytes: 0,
});

eachEngine('the cost of being rejected', (engine) => {
  let service: TestService;
  const tokens: Partial<Record<Role, string>> = {};
  /** Statements of guards, settings and accepted requests, which a connection keeps. */
  const known = new Set<string>();
  beforeAll(async () => {
    service = await startTestService(engine);
    const member = await service.signIn(await service.createUser());
    const administrator = await service.signIn(await service.createUser({ isAdministrator: true }));
    tokens.member = member.access_token;
    tokens.administrator = administrator.access_token;
    tokens.service_role = service.serviceRoleKey;
  });
  afterAll(async () => service.close());

  /** Returns the texts of the prepared statements of the connection, which sequential requests share. */
  async function preparedStatements(): Promise<string[]> {
    const query = 'select statement from pg_prepared_statements';
    const [result] = await service.database.batch([{ text: query, values: [] }]);
    return (result?.rows ?? []).map(([text]) => text ?? '').filter((text) => text !== query);
  }

  async function measureCost(
    role: Role,
    { method, path }: Pick<Endpoint, 'method' | 'path'>,
    query: string,
    body: string,
  ): Promise<Cost> {
    const token = tokens[role];
    const bytes = Buffer.from(body);
    let bytesRead = 0;
    const stream = new ReadableStream(
      {
        pull: (controller) => {
          const chunk = bytes.subarray(bytesRead, bytesRead + 65_536);
          bytesRead += chunk.length;
          if (chunk.length === 0) controller.close();
          else controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const withoutBody = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const headers = {
      apikey: service.anonKey,
      'Content-Type': 'application/json',
      Prefer: 'return=representation,resolution=merge-duplicates,count=exact',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(withoutBody ? {} : { 'Content-Length': String(bytes.length) }),
    };
    const init = withoutBody ? {} : { body: stream, duplex: 'half' as const };
    let response: Response | undefined;
    const statements = await recordQueries(service.service, async () => {
      response = await service.fetch(`http://localhost:3000${path}?${query}`, { method, headers, ...init });
    });
    return { status: response?.status ?? 0, statements, bytesRead, text: (await response?.text()) ?? '' };
  }

  /**
   * Returns all named routes. The wildcards of the Data API are replaced by the relations of the catalog and unknown
   * names.
   */
  async function endpoints(): Promise<Endpoint[]> {
    const routes = service.service.app.routes.filter(({ path }) => /^\/(functions|rest)\/v1\//.test(path));
    const prefixes = new Set(routes.map(({ path }) => path.split('/').slice(0, 3).join('/')));
    expect([...prefixes].toSorted()).toEqual(apis);
    const namedEndpoints = routes
      .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
      .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, randomUUID()), columns: [] }));
    const relations = await service.database.query<{ name: string; columns: readonly string[] }>(
      sql`select c.relname::text as name, array_agg(a.attname::text) as columns
            from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
           where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f')
           group by c.relname order by 1`,
    );
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    const unknown = ['rpc/nothing', 'nothing'].map((name) => ({ name, columns: [] }));
    const dataEndpoints = [...unknown, ...relations].flatMap(({ name, columns }) =>
      methods
        .filter((method) => !name.startsWith('rpc/') || !/^(PUT|PATCH|DELETE)$/.test(method))
        .map((method) => ({ method, path: `/rest/v1/${name}`, columns })),
    );
    return [...namedEndpoints, ...dataEndpoints].filter(({ path }) => !publicPaths.has(path));
  }

  describe.each(roles)('for %s', (role) => {
    it('is that of a minimal rejected request', { timeout: 240_000 }, async () => {
      const plainCosts = new Map<Endpoint, Cost>();
      for (const endpoint of await endpoints()) {
        if (isAllowed(role, endpoint)) continue;
        plainCosts.set(endpoint, await measureCost(role, endpoint, '', plainBody));
      }
      expect(plainCosts.size).toBeGreaterThan(30);
      const before = await service.fingerprint();
      for (const { statements } of plainCosts.values()) for (const text of statements) known.add(text);
      let seed = 0;
      for (const [endpoint, { status, statements, text: plainText }] of plainCosts) {
        seed += 1;
        for (const { query, body } of expensiveRequests(endpoint, seed)) {
          // The allocation does not depend on the engine.
          const expensive = await (engine === 'embedded' ? measureAllocation : measureNothing)(() =>
            measureCost(role, endpoint, query, body),
          );
          const name = `${role} ${endpoint.method} ${endpoint.path}: ${expensive.status} ${expensive.text.slice(0, 200)}`;
          if (status >= 400) expect(expensive.status, name).toBeGreaterThanOrEqual(400);
          const added = (await preparedStatements()).filter(
            (text) => !known.has(text) && !isOfSchemaCache(text),
          );
          for (const text of added) known.add(text);
          if (expensive.status < 400) continue;
          expect(added, name).toEqual([]);
          expect(expensive.statements.length, name).toBeLessThanOrEqual(statements.length);
          // Policies and values of the body can only be checked in SQL.
          const isEarly =
            endpoint.path.startsWith('/functions') ||
            statements.length === 0 ||
            plainText.includes('permission denied for table');
          const isDenied = isEarly && [401, 403, 404].includes(status);
          // An early size limit would hide the missing right behind 413.
          if (isDenied) expect([expensive.status, expensive.bytesRead], name).toEqual([status, 0]);
          expect(expensive.allocatedBytes, name).toBeLessThan(isDenied ? maxEarlyAllocation : maxAllocation);
          if (role === 'anon') expect(expensive.statements, name).toEqual([]);
        }
      }
      expect(await service.fingerprint()).toBe(before);
    });
  });

  it('includes no memory after the response', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const reject = async (count: number, first: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const role = roles[n % 2] ?? 'anon';
        await measureCost(
          role,
          { method: 'GET', path: `/rest/v1/notification_settings_${n % 2}` },
          expensiveQuery(first + n),
          '',
        );
        await measureCost(
          'anon',
          { method: 'POST', path: '/rest/v1/accounts' },
          expensiveQuery(first + n),
          plainBody,
        );
      }
    };
    await reject(50, 0);
    collect();
    const before = process.memoryUsage().heapUsed;
    await reject(200, 1000);
    collect();
    // The requests have 9 MB in total.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(3_000_000);
  });
});
