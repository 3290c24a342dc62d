/**
 * Sends the same requests to PostgREST 12.0.2 on the same database. Status, Content-Range, error code and body must be
 * equal. A listed difference that no longer exists also fails.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { calls, differentialScript, reads, texts } from './support/differential-cases.ts';
import { writes } from './support/differential-writes.ts';
import { moreBooks } from './support/library-columns.ts';
import { toComparable } from './support/comparable-response.ts';
import {
  requestMethod,
  postgrestBinary,
  startPostgrest,
  type PostgrestRequest,
  type PostgrestServer,
} from '@lanternrock/testing/postgrest';
import { runs, seed } from '@lanternrock/testing/property-runs';
import { validRead } from './support/read-arbitraries.ts';

interface OpenApiDocument {
  readonly definitions: Record<string, { properties: Record<string, { description?: string }> }>;
  readonly paths: Record<string, Record<string, { summary?: string; description?: string; tags: string[] }>>;
  readonly parameters: Record<string, unknown>;
}

/**
 * Returns all operations with their descriptions, without GET of functions with an unnamed argument, which no query can
 * contain.
 */
function operations({ paths }: OpenApiDocument): unknown {
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

describe.skipIf(postgrestBinary === null)('compared with PostgREST 12.0.2', () => {
  let data: RestFixture;
  let reference: PostgrestServer;
  beforeAll(async () => {
    data = await openRestFixture('postgres', differentialScript + moreBooks, {
      settings: { AGGREGATES: true, TX_OVERRIDE: true },
    });
    reference = await startPostgrest(data.databaseUrl);
  });
  afterAll(async () => {
    await reference.close();
    await data.close();
  });

  const referenceResponse = async (request: PostgrestRequest): Promise<unknown> => {
    const response = await reference.request(request);
    return toComparable(response.status, response.headers, await response.text());
  };
  const actualResponse = async (request: PostgrestRequest): Promise<unknown> => {
    const { path, headers = {}, body } = request;
    const response = await data.request(path, { method: requestMethod(request), headers, body });
    return toComparable(response.status, response.headers, response.text);
  };

  it.each(
    [...reads, ...writes, ...calls].map(
      (one) => [`${requestMethod(one)} ${one.path} ${JSON.stringify(one.headers ?? {})}`, one] as const,
    ),
  )('%s', async (_name, one) => {
    const [actual, expected] = [await actualResponse(one), await referenceResponse(one)];
    if (one.differs === undefined) expect(actual).toEqual(expected);
    else expect(actual, `no longer differs: ${one.differs}`).not.toEqual(expected);
  });

  it.each(texts)('has another text for $path: $differs', async (one) => {
    interface ErrorBody {
      readonly code: string;
    }
    const expected = (await (await reference.request(one)).json()) as ErrorBody;
    const call = { method: requestMethod(one), body: one.body };
    const actual = (await data.request(one.path, call)).body as ErrorBody;
    expect(actual.code).toBe(expected.code);
    expect(actual).not.toEqual(expected);
  });

  it('documents the same tables, columns and functions', async () => {
    const expected = (await (await reference.request({ path: '/' })).json()) as OpenApiDocument;
    // References are percent-encoded here, as RFC 6901 requires for URI fragments.
    const actual = JSON.parse((await data.request('/')).text.replaceAll('%20', ' ')) as OpenApiDocument;
    // Later versions document this key as well.
    const foreignKey = actual.definitions['biographies']?.properties['author_id'];
    expect(foreignKey?.description).toContain('`authors.id`');
    expect({ ...foreignKey, description: 'Note:\nThis is a Primary Key.<pk/>' }).toEqual(
      expected.definitions['biographies']?.properties['author_id'],
    );
    delete actual.definitions['biographies']?.properties['author_id'];
    delete expected.definitions['biographies']?.properties['author_id'];
    expect(actual.definitions).toEqual(expected.definitions);
    expect(operations(actual)).toEqual(operations(expected));
    const filters = ({ parameters }: OpenApiDocument): unknown =>
      Object.entries(parameters).filter(([name]) => /^(body|rowFilter)\./.test(name));
    expect(new Map(filters(actual) as [])).toEqual(new Map(filters(expected) as []));
  });

  it(`responds equally to ${numRuns} generated reads (seed ${seed})`, { timeout: 900_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(validRead, async (read) => {
        const [actual, expected] = [await actualResponse(read), await referenceResponse(read)];
        expect(actual, decodeURIComponent(read.path)).toEqual(expected);
      }),
      { numRuns, seed },
    );
  });
});
