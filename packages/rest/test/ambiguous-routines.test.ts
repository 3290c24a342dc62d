/**
 * Compares the whole body of PGRST203 with PostgREST 12.0.2 on the same database. Clients print it, so the order of the
 * candidates must not depend on the order in which the functions were created.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import {
  postgrestBinary,
  requestMethod,
  startPostgrest,
  type PostgrestServer,
  type PostgrestRequest,
} from '@lanternrock/testing/postgrest';

/** Creates overloads in the given order. A text after `--` becomes the comment of the function. */
const overloads = (name: string, argumentLists: readonly string[]): string =>
  argumentLists
    .map((list) => {
      const [args = '', comment] = list.split(' -- ');
      const types = args.replaceAll(/ default [^,]+/g, '');
      return `create function public.${name}(${args}) returns text language sql immutable return 'x';
        grant execute on function public.${name}(${types}) to service_role;
        ${comment === undefined ? '' : `comment on function public.${name}(${types}) is '${comment}';`}`;
    })
    .join('\n');

const byType = ['a text', 'a integer', 'a bigint', 'a numeric', 'a boolean'];
const byDefault = [
  'a integer, z text default null',
  'a integer',
  'a integer, b text default null, c text default null',
  'a integer, b integer default 0',
  'a integer, "B" integer default 0, aa date default null',
];

const script = [
  overloads('two', ['a text', 'a integer']),
  overloads('two_reversed', ['a integer', 'a text']),
  overloads('three', ['a text', 'a json', 'a integer']),
  overloads('five', byType),
  overloads('five_reversed', byType.toReversed()),
  overloads('defaults', byDefault),
  overloads('defaults_reversed', byDefault.toReversed()),
  overloads('either', ['json default null', '']),
  overloads('either_reversed', ['', 'json default null']),
  overloads('whole', ['text', 'jsonb', 'json', 'bytea']),
  overloads('whole_reversed', ['bytea', 'json', 'jsonb', 'text']),
  overloads('commented', ['a boolean -- z', 'a integer', 'a text -- b', 'a date -- a', 'a uuid']),
  overloads('commented_default', ['a integer -- c', 'a integer, b text default null', 'a text -- a']),
  overloads('typed', ['a varchar', 'a timestamptz', 'a time', 'a text[]', 'a public.mood', 'a "char"']),
  overloads('listed', ['a integer', 'variadic a integer[]']),
  overloads('accented', [
    'a integer, é text default null',
    'a integer, z date default null',
    'a integer, 𝔞 uuid default null',
    'a integer, ｚ boolean default null',
  ]),
].join('\n');

const byArgument = [
  'two',
  'two_reversed',
  'three',
  'five',
  'five_reversed',
  'defaults',
  'defaults_reversed',
  'commented',
  'commented_default',
  'typed',
  'listed',
  'accented',
];

const requests: readonly PostgrestRequest[] = [
  ...byArgument.flatMap((name) => [{ path: `/rpc/${name}`, body: { a: '1' } }, { path: `/rpc/${name}?a=1` }]),
  ...['either', 'either_reversed'].flatMap((name) => [
    { path: `/rpc/${name}`, body: {} },
    { path: `/rpc/${name}` },
  ]),
  ...['whole', 'whole_reversed'].map((name) => ({ path: `/rpc/${name}`, body: { a: 1 } })),
];

describe.skipIf(postgrestBinary === null)('an ambiguous call', () => {
  let data: RestFixture;
  let reference: PostgrestServer;
  beforeAll(async () => {
    data = await openRestFixture('postgres', `create type public.mood as enum ('1');\n${script}`);
    reference = await startPostgrest(data.databaseUrl);
  });
  afterAll(async () => {
    await reference.close();
    await data.close();
  });

  it.each(requests.map((one) => [`${requestMethod(one)} ${one.path}`, one] as const))(
    '%s lists its candidates in the order of PostgREST',
    async (_name, one) => {
      const expected = await reference.request(one);
      const { path, body } = one;
      const actual = await data.request(path, { method: requestMethod(one), body });
      expect(expected.status).toBe(300);
      expect([actual.status, actual.body]).toEqual([300, await expected.json()]);
    },
  );
});
