/** GeoJSON with PostGIS. `rest-client.test.ts` tests the rejection without PostGIS. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import pg from 'pg';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { postgrestBinary, startPostgrest, type PostgrestServer } from '@lanternrock/testing/postgrest';

const script = `
  create schema maps;
  create extension postgis schema maps;
  create table public.shops (id integer primary key, name text, place maps.geometry(point, 4326));
  insert into public.shops values (1, 'Snow', 'SRID=4326;POINT(-71.1 42.37)'), (2, 'River', null);
  create table public.roads (id integer primary key, shape maps.geometry);
  insert into public.roads values (1, 'CIRCULARSTRING(0 0, 1 1, 1 0)');
  create function public.first_shop() returns setof public.shops language sql stable
    as 'select * from public.shops order by id limit 1';
  grant usage on schema public, maps to service_role;
  grant select, insert on public.shops, public.roads to service_role;
  grant execute on function public.first_shop() to service_role;
`;
const geo = { Accept: 'application/geo+json' };

/** False if the server does not have PostGIS; the tests are then skipped. */
async function hasPostgis(): Promise<boolean> {
  const client = new pg.Client(inject('postgres').superuserUrl);
  await client.connect();
  const { rowCount } = await client.query(
    `select from pg_catalog.pg_available_extensions where name = 'postgis'`,
  );
  await client.end();
  return rowCount === 1;
}
const missing = 'PostGIS is not installed, for example: apt-get install postgresql-15-postgis-3';

describe('GeoJSON with PostGIS', () => {
  let data: RestFixture | null = null;
  let reference: PostgrestServer | null = null;
  beforeAll(async () => {
    if (!(await hasPostgis())) return;
    // Only a superuser can create the extension.
    data = await openRestFixture('postgres as superuser', script, {
      settings: { EXTRA_SEARCH_PATH: ['public', 'maps'], TX_OVERRIDE: true },
    });
    if (postgrestBinary === null) return;
    reference = await startPostgrest(data.databaseUrl, { PGRST_DB_EXTRA_SEARCH_PATH: 'public,maps' });
  });
  afterAll(async () => {
    await reference?.close();
    await data?.close();
  });

  it('returns a feature per row', async (context) => {
    if (data === null) return context.skip(missing);
    const { status, body, headers } = await data.request('/shops?order=id', { headers: geo });
    expect([status, headers.get('content-type')]).toEqual([200, 'application/geo+json; charset=utf-8']);
    expect(body).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-71.1, 42.37] },
          properties: { id: 1, name: 'Snow' },
        },
        { type: 'Feature', geometry: { type: null }, properties: { id: 2, name: 'River' } },
      ],
    });
    const { data: shop, error } = await data.client().from('shops').select('place').eq('id', 1).geojson();
    expect([error, (shop as unknown as { features: unknown[] } | null)?.features.length]).toEqual([null, 1]);
  });

  it.each([
    ['a page with a total', '/shops?order=id&limit=1&select=name,place', {}, undefined],
    ['no rows', '/shops?id=eq.9', {}, undefined],
    ['rows without a geometry', '/shops?select=id', {}, undefined],
    ['rows of a function', '/rpc/first_shop', {}, undefined],
    [
      'written rows',
      '/shops',
      { Prefer: 'return=representation,tx=rollback' },
      { id: 7, place: 'POINT(1 2)' },
    ],
  ])('responds to %s like PostgREST', async (_name, path, headers, body) => {
    // Skipped without PostGIS, and on machines without a PostgREST binary.
    if (data === null || reference === null) return;
    const request = { path, headers: { Prefer: 'count=exact', ...headers, ...geo }, body };
    const actual = await data.request(path, {
      method: body ? 'POST' : 'GET',
      headers: request.headers,
      body,
    });
    const expected = await reference.request(request);
    const comparable = (status: number, range: string | null, text: string): unknown => {
      const value = JSON.parse(text) as { code?: string };
      return status < 300 ? { status, range, value } : { status, code: value.code };
    };
    expect(comparable(actual.status, actual.headers.get('content-range'), actual.text)).toEqual(
      comparable(expected.status, expected.headers.get('content-range'), await expected.text()),
    );
  });

  it('returns 400 for a geometry without a GeoJSON equivalent', async (context) => {
    if (data === null) return context.skip(missing);
    expect((await data.request('/roads', { headers: geo })).status).toBe(400);
    // PostGIS raises the same error for plain JSON.
    expect((await data.request('/roads')).status).toBe(400);
    expect((await data.request('/roads?select=id')).body).toEqual([{ id: 1 }]);
  });
});
