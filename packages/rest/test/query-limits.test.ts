/** Requests that are rejected for their size: planning cost, number of columns, number of objects. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eachEngine } from '@lanternrock/testing/engines';
import { openRestFixture, type RestFixture, type RestResponse } from './support/rest-fixture.ts';

const script = `
  create table public.half (id integer primary key, word text);
  create table public.parts (id integer primary key, half_id integer references public.half);
  grant select (id, word), insert (id, word) on public.half to authenticated;
  grant select on public.parts to authenticated;
  create function public.halves() returns setof public.half language sql stable as 'select * from public.half';
`;

const list = (count: number, create: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => create(index)).join(',');

eachEngine('limits of a request', (engine) => {
  let data: RestFixture;
  let statements = 0;
  beforeAll(async () => {
    data = await openRestFixture(engine, script, { onStatement: () => (statements += 1) });
  });
  beforeEach(() => (statements = 0));
  afterAll(async () => data.close());

  it('rejects a request over the cost limit before it is planned', async () => {
    const embeds = list(60, (index) => `p${index}:parts(id)`);
    const conditions = list(400, (index) => `id.neq.${index}`);
    const response = await data.request(`/half?select=id,${embeds}&or=(${conditions})`, {
      as: 'authenticated',
    });
    expect(response.body).toEqual({
      code: 'PGRST100',
      message:
        'A request costs at most 1000 points: 10 for each embed and computed column, 20 for each and/or and ' +
        'each repetition of * or a long column, 1 for each column, condition, order term, key of a JSON path, 10 columns of *, 10 elements of in, 5 of another ' +
        'list and each pattern of a list. Spreads, aggregates, counts and ordered searches repeat parts.',
      details: 'It has 1081 points.',
      hint: 'Send several smaller requests.',
    });
    expect([response.status, statements]).toEqual([400, 0]);
  });

  it('gives a call the same cost for each kind of count, whichever was sent first', async () => {
    const conditions = list(600, (index) => `id.neq.${index}`);
    const call = (count: string) =>
      data.request(`/rpc/halves?and=(${conditions})`, {
        as: 'authenticated',
        headers: { Prefer: `count=${count}` },
      });
    const first = await call('estimated');
    expect((await call('exact')).status).toBe(first.status);
    expect((await call('estimated')).status).toBe(first.status);
  });

  it('rejects more columns than Postgres returns', async () => {
    const response = await data.request(`/parts?select=${list(833, () => '*')}`, { as: 'authenticated' });
    expect(response.body).toMatchObject({
      code: 'PGRST100',
      message: 'A level accepts at most 1664 columns and order terms, including those of its spreads',
      details: '"parts" has 1666.',
    });
    expect([response.status, statements]).toEqual([400, 0]);
  });

  it('accepts a large regular request', async () => {
    const columns = list(50, (index) => `c${index}:id`);
    const embeds = list(10, (index) => `p${index}:parts(${columns})`);
    const elements = list(100, String);
    const { status, text } = await data.request(`/half?select=${columns},${embeds}&id=in.(${elements})`, {
      as: 'authenticated',
    });
    expect(status, text).toBe(200);
  });

  it('rejects a body with too many objects', async () => {
    const body = `[${list(50_001, () => '{}')}]`;
    const { status, text } = await data.request('/half', { as: 'authenticated', method: 'POST', body });
    expect([status, statements], text).toEqual([400, 0]);
    expect(text).toContain('PGRST102');
  });

  // Conditions that the statement repeats: twice, or three times with a sample of words.
  it.each([
    ['a pattern of one word', 'twice', 'word=ilike.*north*'],
    ['a pattern of two words', 'three times', 'word=ilike.*north pier*'],
    ['a negated pattern of two words', 'twice', 'word=not.ilike.*north pier*'],
    ['a pattern of two words in a negated group', 'twice', 'not.and=(word.ilike.*north pier*)'],
    [
      'too many patterns of two words',
      'twice',
      Array.from({ length: 7 }, () => 'word=ilike.*north pier*').join('&'),
    ],
  ])('counts the conditions beside %s: %s', async (_name, repetition, patterns) => {
    const embeds = list(98, (index) => `p${index}:parts(id)`);
    const readPoints = async (query: string): Promise<number> => {
      const response: RestResponse = await data.request(`/half?select=id,${embeds}&order=id&${query}`, {
        as: 'authenticated',
      });
      return Number(/It has (\d+) points/.exec(response.text)?.[1]);
    };
    const added = (await readPoints(`${patterns}&id=gt.1`)) - (await readPoints(patterns));
    // Once as a condition of the read, and in each repetition.
    expect(added).toBe(repetition === 'twice' ? 3 : 4);
  });
});
