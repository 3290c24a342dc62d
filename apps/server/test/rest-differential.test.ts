/**
 * The same requests to a real PostgREST 12.0.2 on the same database: status, Content-Range, error code and
 * body must agree. A listed difference that vanished fails, too.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { calls, differentialScript, reads } from './support/differential-cases.ts';
import { writes } from './support/differential-writes.ts';
import { moreBooks } from './support/library-columns.ts';
import {
  toComparable,
  requestMethod,
  referenceBinary,
  startPostgrest,
  type ReferenceRequest,
  type PostgrestServer,
} from './support/postgrest.ts';
import { runs, seed } from './support/property-runs.ts';
import { validRead } from './support/read-arbitraries.ts';

interface Description {
  readonly definitions: Record<string, { properties: Record<string, { description?: string }> }>;
  readonly paths: Record<string, Record<string, { summary?: string; description?: string; tags: string[] }>>;
  readonly parameters: Record<string, unknown>;
}

/** Every operation with its words; an unnamed argument, which no query can carry, has no GET here. */
function operations({ paths }: Description): unknown {
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary, description, tags }]) => [
        `${method} ${path}`,
        summary,
        description,
        tags,
      ]),
    )
    .filter(([name]) => !String(name).startsWith('get /rpc/whole_'))
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

const numRuns = runs({ short: 150, long: 2000 });

describe.skipIf(referenceBinary === null)('beside PostgREST 12.0.2', () => {
  let data: RestFixture;
  let reference: PostgrestServer;
  beforeAll(async () => {
    data = await openRestFixture('postgres', differentialScript + moreBooks, {
      AGGREGATES: 'on',
      TX_OVERRIDE: 'on',
    });
    reference = await startPostgrest(data.databaseUrl);
  });
  afterAll(async () => {
    await reference.close();
    await data.close();
  });

  const theirs = async (asked: ReferenceRequest): Promise<unknown> => {
    const response = await reference.ask(asked);
    return toComparable(response.status, response.headers, await response.text());
  };
  const ours = async (asked: ReferenceRequest): Promise<unknown> => {
    const { path, headers = {}, body } = asked;
    const answer = await data.ask(path, { method: requestMethod(asked), headers, body });
    return toComparable(answer.status, answer.headers, answer.text);
  };

  it.each(
    [...reads, ...writes, ...calls].map(
      (one) => [`${requestMethod(one)} ${one.path} ${JSON.stringify(one.headers ?? {})}`, one] as const,
    ),
  )('%s', async (_name, one) => {
    const [mine, their] = [await ours(one), await theirs(one)];
    if (one.differs === undefined) expect(mine).toEqual(their);
    else expect(mine, `no longer differs: ${one.differs}`).not.toEqual(their);
  });

  it('describes the same tables, columns and functions', async () => {
    const their = (await (await reference.ask({ path: '/' })).json()) as Description;
    // Names in references are encoded here, as the specification of such pointers asks.
    const mine = JSON.parse((await data.ask('/')).text.replaceAll('%20', ' ')) as Description;
    // Later versions tell this key as well.
    const note = mine.definitions['biographies']?.properties['author_id'];
    expect(note?.description).toContain('`authors.id`');
    expect({ ...note, description: 'Note:\nThis is a Primary Key.<pk/>' }).toEqual(
      their.definitions['biographies']?.properties['author_id'],
    );
    delete mine.definitions['biographies']?.properties['author_id'];
    delete their.definitions['biographies']?.properties['author_id'];
    expect(mine.definitions).toEqual(their.definitions);
    expect(operations(mine)).toEqual(operations(their));
    const filters = ({ parameters }: Description): unknown =>
      Object.entries(parameters).filter(([name]) => /^(body|rowFilter)\./.test(name));
    expect(new Map(filters(mine) as [])).toEqual(new Map(filters(their) as []));
  });

  it(`answers ${numRuns} generated reads alike (seed ${seed})`, { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(validRead, async (read) => {
        const [mine, their] = [await ours(read), await theirs(read)];
        expect(mine, decodeURIComponent(read.path)).toEqual(their);
      }),
      { numRuns, seed },
    );
  });
});
