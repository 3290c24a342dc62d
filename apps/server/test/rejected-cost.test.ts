/**
 * The cost of being rejected: for every endpoint and every role, the most expensive request that is rejected runs no
 * more statements than the plainest one, and its body is not read before the privilege is known. The endpoints come
 * from the route table of the application and from the catalog.
 */
import { randomUUID } from 'node:crypto';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { countStatements } from './support/work-recorder.ts';
import { eachEngine, startTestService, type TestService } from './support/test-service.ts';

const apis = ['/auth/v1', '/functions/v1', '/rest/v1'];
/** Answers the same to every role, and parses nothing. */
const open = new Set(['/rest/v1/']);

const roles = ['anon', 'member', 'administrator', 'service_role'] as const;
type Role = (typeof roles)[number];

interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/** What a signed-in user may do: a session that waits for its end, and the user's own sign-in methods. */
function isOwn(role: Role, { path }: Endpoint): boolean {
  if (role === 'anon') return false;
  return path.endsWith('/session-watch') || /^\/auth\/v1\/(?!admin\/|invite)/.test(path);
}

interface Cost {
  readonly status: number;
  readonly statements: readonly string[];
  /** Bytes of the body that the service took. */
  readonly taken: number;
  readonly text: string;
}

const list = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(',');

/** 30 kB at the limits of the parser: 100 embeds, 5 deep, many conditions, order terms and long names. */
function expensiveQuery(seed: number): string {
  const embeds = list(19, (n) => `e${seed}_${n}:a(b(c(d(e(*,x,y->z->>0)))))`);
  const conditions = list(900, (n) => `c${n}.not.in.(1,2)`);
  return `select=*,${embeds}&or=(${conditions})&order=${list(100, (n) => `o${n}.desc`)}&on_conflict=id,code&columns=a,b&id=eq.x&limit=1`;
}

const plainBody = '{}';
/** 900 kB, which are 0.3 s of parsing. */
const expensiveBody = `[${list(300_000, () => '{}')}]`;

eachEngine('the cost of being rejected', (engine) => {
  let service: TestService;
  const tokens: Partial<Record<Role, string>> = {};
  beforeAll(async () => {
    service = await startTestService(engine);
    const member = await service.signIn(await service.createUser());
    const administrator = await service.signIn(await service.createUser({ platformAdmin: true }));
    tokens.member = member.access_token;
    tokens.administrator = administrator.access_token;
    tokens.service_role = service.serviceRoleKey;
  });
  afterAll(async () => service.close());

  async function costOf(role: Role, { method, path }: Endpoint, query: string, body: string): Promise<Cost> {
    const token = tokens[role];
    const bytes = Buffer.from(body);
    let taken = 0;
    const stream = new ReadableStream(
      {
        pull: (controller) => {
          const chunk = bytes.subarray(taken, taken + 65_536);
          taken += chunk.length;
          if (chunk.length === 0) controller.close();
          else controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const bodiless = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const headers = {
      apikey: service.anonKey,
      'Content-Type': 'application/json',
      Prefer: 'return=representation,resolution=merge-duplicates,count=exact',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(bodiless ? {} : { 'Content-Length': String(bytes.length) }),
    };
    const init = bodiless ? {} : { body: stream, duplex: 'half' as const };
    let response: Response | undefined;
    const statements = await countStatements(service, async () => {
      response = await service.fetch(`http://localhost:3000${path}?${query}`, { method, headers, ...init });
    });
    return { status: response?.status ?? 0, statements, taken, text: (await response?.text()) ?? '' };
  }

  /** Every route with a name; a wildcard of the Data API stands for what the catalog holds, and for unknown names. */
  async function endpoints(): Promise<Endpoint[]> {
    const found = service.service.app.routes.filter(({ path }) => /^\/(?!mailbox)[a-z]+\/v1\//.test(path));
    const prefixes = new Set(found.map(({ path }) => path.split('/').slice(0, 3).join('/')));
    expect([...prefixes].toSorted()).toEqual(apis);
    const named = found
      .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
      .map(({ method, path }) => ({ method, path: path.replaceAll(/:\w+/g, randomUUID()) }));
    const relations = await service.database.query<{ name: string }>(
      sql`select c.relname::text as name from pg_class c where c.relnamespace = 'public'::regnamespace
            and c.relkind in ('r', 'v', 'm', 'p', 'f') order by 1`,
    );
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    const data = ['rpc/nothing', 'nothing', ...relations.map(({ name }) => name)].flatMap((name) =>
      methods
        .filter((method) => !name.startsWith('rpc/') || !/^(PUT|PATCH|DELETE)$/.test(method))
        .map((method) => ({ method, path: `/rest/v1/${name}` })),
    );
    return [...named, ...data].filter(({ path }) => !open.has(path));
  }

  describe.each(roles)('for %s', (role) => {
    it('is that of the plainest rejection', { timeout: 240_000 }, async () => {
      const plain = new Map<Endpoint, Cost>();
      for (const endpoint of await endpoints()) {
        if (isOwn(role, endpoint)) continue;
        plain.set(endpoint, await costOf(role, endpoint, '', plainBody));
      }
      expect(plain.size).toBeGreaterThan(30);
      const before = await service.fingerprint();
      let seed = 0;
      for (const [endpoint, { status, statements }] of plain) {
        seed += 1;
        const costly = await costOf(role, endpoint, expensiveQuery(seed), expensiveBody);
        const name = `${role} ${endpoint.method} ${endpoint.path}: ${costly.status} ${costly.text.slice(0, 200)}`;
        if (status >= 400) expect(costly.status, name).toBeGreaterThanOrEqual(400);
        if (costly.status < 400) continue;
        expect(costly.statements.length, name).toBeLessThanOrEqual(statements.length);
        for (const text of costly.statements) expect(statements, name).toContain(text);
        // A policy or a value of the body can only be checked by SQL.
        const isEarly = endpoint.path.startsWith('/functions') || statements.length === 0;
        if (isEarly && [401, 403, 404].includes(status)) expect(costly.taken, name).toBe(0);
        if (role === 'anon' && !endpoint.path.startsWith('/auth')) {
          expect(costly.statements, name).toEqual([]);
        }
      }
      expect(await service.fingerprint()).toBe(before);
    });
  });

  it('is nothing that the service keeps', async () => {
    v8.setFlagsFromString('--expose-gc');
    const collect = vm.runInNewContext('gc') as () => void;
    const reject = async (count: number, first: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        const role = roles[n % 2] ?? 'anon';
        await costOf(
          role,
          { method: 'GET', path: `/rest/v1/notification_settings_${n % 2}` },
          expensiveQuery(first + n),
          '',
        );
        await costOf(
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
    // Together these requests are 9 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(3_000_000);
  });
});
