/** Attacks on the Data API (REST-01 and following) that no other test covers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  openRestFixture,
  type RestResponse,
  type RestCall,
  type RestFixture,
} from './support/rest-fixture.ts';
import { eachEngine } from '@lanternrock/testing/engines';
import { dumpRows, resetRows, writeSchemaScript } from './support/write-schema.ts';

const errorCode = ({ body }: RestResponse): string => (body as { code: string }).code;
const repeated = (text: string, times: number): string => encodeURIComponent(text.repeat(times));

const names = [
  'id"--',
  `id'; drop table things; --`,
  '"id" from auth.users--',
  'id) union select * from auth.users--',
  'id`$$',
  'id\\',
  'x'.repeat(10_000),
  '\u0000',
];

const script = `${writeSchemaScript}
  create function public."limit"() returns text language sql stable as $$select current_setting('statement_timeout')$$;
  grant execute on function public."limit"() to anon, authenticated, service_role;
  create domain public.price as numeric;
`;

eachEngine('attacks', (engine) => {
  let data: RestFixture;
  beforeAll(async () => {
    data = await openRestFixture(engine, script, {
      settings: { STATEMENT_TIMEOUT: 1000, ANON_STATEMENT_TIMEOUT: 500, RESPONSE_LIMIT: 1_048_576 },
    });
  });
  beforeEach(async () => resetRows(data));
  afterAll(async () => data.close());

  /** Expects a 4xx error with all four members and no changes. */
  async function expectRejected(path: string, call: RestCall = {}): Promise<RestResponse> {
    const before = await dumpRows(data);
    const response = await data.request(path, call);
    expect(response.status, `${path.slice(0, 80)} ${response.text}`).toBeGreaterThanOrEqual(400);
    expect(response.status, response.text).toBeLessThan(500);
    expect(Object.keys(response.body as object).sort()).toEqual(['code', 'details', 'hint', 'message']);
    expect(await dumpRows(data)).toBe(before);
    return response;
  }

  it.each(names)('rejects %j as a name in all positions', { tags: ['REST-01'] }, async (name) => {
    const text = encodeURIComponent(name);
    const positions = [
      `/${text}`,
      `/rpc/${text}`,
      `/things?select=${text}`,
      `/things?order=${text}`,
      `/things?${text}=eq.1`,
      `/things?select=parts!${text}(id)`,
      `/things?select=id::${text}`,
    ];
    for (const position of positions) await expectRejected(position);
    const post: RestCall = { method: 'POST', body: [{ id: 9, name: 'n' }] };
    await expectRejected(`/things?columns=${text}`, post);
    const merge = { Prefer: 'resolution=merge-duplicates' };
    await expectRejected(`/things?on_conflict=${text}`, { ...post, headers: merge });
    await expectRejected('/things', { method: 'POST', body: { [name]: 1 } });
    if (name !== '\u0000') {
      expect(errorCode(await expectRejected('/things', { headers: { 'Accept-Profile': name } }))).toBe(
        'PGRST106',
      );
    }
  });

  it(
    'stops a statement after its timeout, which is shorter for anonymous clients',
    { tags: ['REST-23'] },
    async () => {
      const limits = await Promise.all(
        (['anon', 'authenticated', 'service_role'] as const).map(
          async (as) => (await data.request('/rpc/limit', { as })).body,
        ),
      );
      expect(limits).toEqual(['500ms', '1s', '1s']);
    },
  );

  it.each<[string, string]>([
    ['things?select=x:id::text)--', 'PGRST100'],
    ['things?select=parts!fk";--(id)', 'PGRST100'],
    ['things?select=...user_roles(*)', 'PGRST200'],
    ['rpc/shout(1);--', 'PGRST202'],
  ])('rejects %s', { tags: ['REST-04'] }, async (path, code) => {
    expect(errorCode(await expectRejected(`/${path}`))).toBe(code);
  });

  describe('the size of a response:', { tags: ['REST-23'] }, () => {
    const number = { id: 4, name: '1e131071' };
    const insert = async (body: unknown): Promise<void> =>
      expect((await data.request('/things', { method: 'POST', body })).status).toBe(201);

    it.each([
      'jsonb',
      '_jsonb',
      'jsonpath',
      'numeric[]',
      '_numeric',
      'numrange',
      'nummultirange',
      '_parts',
      'price',
    ])('rejects a cast to %s, which can be far longer than its text', async (type) => {
      const response = await expectRejected(`/things?select=id::${encodeURIComponent(type)}`);
      expect(errorCode(response)).toBe('PGRST100');
    });

    it('limits the digits of a cast to numeric', async () => {
      await insert([number, { id: 5, name: '-1.50e-9' }, { id: 6, name: '9e307' }]);
      expect(errorCode(await expectRejected('/things?select=name::numeric&id=eq.4'))).toBe('22003');
      const { text } = await data.request('/things?select=name::decimal,twice::numeric&id=gt.4&order=id');
      expect(text.replace(/\s/g, '')).toBe(
        `[{"name":-0.0000000015,"twice":14},{"name":9${'0'.repeat(307)},"twice":14}]`,
      );
    });

    const repeatedColumn = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a${index}:name`).join();

    it.each([
      repeatedColumn(50),
      repeatedColumn(25).replaceAll(':name', ':name::varchar') + ',' + repeatedColumn(25),
      Array(50).fill('*').join(),
    ])('rejects many repetitions of a long column before it reads', async (select) => {
      expect(errorCode(await expectRejected(`/things?select=${select}`))).toBe('PGRST100');
    });

    it('rejects a response above the limit, and rolls the write back', async () => {
      await insert({ id: 4, name: 'x'.repeat(30_000) });
      const columns = repeatedColumn(40);
      for (const call of [
        {},
        { method: 'PATCH', headers: { Prefer: 'return=representation' }, body: { kind: 'k' } },
      ]) {
        const response = await expectRejected(`/things?id=eq.4&select=${columns}`, call);
        expect([response.status, errorCode(response)]).toEqual([400, '54000']);
      }
      expect((await data.request('/things?id=eq.4&select=name')).status).toBe(200);
    });
  });

  it.each(['platform_admin', 'PLATFORM_ADMIN', ' platform_admin'])(
    'rejects writing the role "%s"',
    { tags: ['REST-11'] },
    async (role) => {
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        const call: RestCall = { as: 'authenticated', method, body: { user_id: data.userId, role } };
        const path = `/user_roles${method === 'POST' ? '' : `?user_id=eq.${data.userId}`}`;
        const response = await expectRejected(path, call);
        expect([response.status, errorCode(response)]).toEqual([403, '42501']);
      }
      expect((await data.request('/user_roles')).body).toEqual([]);
    },
  );

  it('rejects deep embeds and allows broad ones', { tags: ['REST-21'] }, async () => {
    const nest = (depth: number): string => (depth === 0 ? 'id' : `parts(things(${nest(depth - 1)}))`);
    expect(errorCode(await expectRejected(`/things?select=${nest(5)}`))).toBe('PGRST100');
    expect(errorCode(await expectRejected(`/things?select=${nest(25)}`))).toBe('PGRST100');
    const broad = Array.from({ length: 50 }, (_, index) => `p${index}:parts(id)`).join();
    expect((await data.request(`/things?select=${broad}`)).status).toBe(200);
  });

  it.each<[string, string, number]>([
    ['a pattern that backtracks', 'name=match.(a%2B)%2B%24', 200],
    ['a pattern with many wildcards', `name=ilike.${repeated('*a', 500)}`, 200],
    ['deep JSON', `name=eq.${repeated('[', 5000)}`, 400],
    ['deep JSON in an array', `name=eq(any).{"${repeated('[', 5000)}"}`, 400],
    ['a deep pattern', `name=match.${repeated('(', 5000)}${repeated(')', 5000)}`, 400],
    ['a deep text search', `name=fts.${repeated('(', 5000)}a${repeated(')', 5000)}`, 400],
    ['a text search with many negations', `name=fts.${repeated('!', 5000)}a`, 400],
    ['a pattern with nested repetitions', 'name=imatch.(.{0,120}){0,120}x', 400],
    ['the most expensive allowed pattern', 'name=imatch.(.{0,13}){0,13}x', 200],
    ['a pattern with lookaround', 'name=match.(%3F=.*b)*x', 400],
    ['a long text search', `name=plfts.${repeated('abc ', 500)}`, 200],
    ['a text search with too many words', `name=plfts.${repeated('abc ', 501)}`, 400],
  ])('does not slow down other clients for %s', { tags: ['REST-23'] }, async (_name, query, status) => {
    const response = await data.request(`/things?${query}`);
    expect(response.status, response.text).toBe(status);
    expect((await data.request('/things?select=id&limit=1')).status).toBe(200);
  });

  describe('an error contains code, message, details and hint only:', { tags: ['REST-29'] }, () => {
    it.each<[string, string, RestCall, string]>([
      ['an invalid value', '/things?id=eq.x', {}, '22P02'],
      ['a duplicate key', '/things', { method: 'POST', body: { id: 1, name: 'n' } }, '23505'],
      ['a failed check', '/things', { method: 'POST', body: { id: 9, name: '' } }, '23514'],
      ['a missing privilege', '/things?id=eq.1', { as: 'authenticated', method: 'DELETE' }, '42501'],
      [
        'a policy violation',
        '/own',
        { as: 'authenticated', method: 'POST', body: { id: 9, owner: 'you' } },
        '42501',
      ],
    ])('%s', async (_name, path, call, code) => {
      const response = await expectRejected(path, call);
      expect(errorCode(response)).toBe(code);
      expect(response.text).not.toMatch(
        /select |insert |json_to|\/(tmp|home|server)\/|\.ts|127\.0\.0\.1|localhost/i,
      );
    });
  });
});
