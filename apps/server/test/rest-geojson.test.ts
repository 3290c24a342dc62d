/** GeoJSON, which PostGIS makes; that it is refused without the extension shows `rest-client.test.ts`. */
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import pg from 'pg';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';
import { referenceBinary, startPostgrest, type PostgrestServer } from './support/postgrest.ts';

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

/** False where the server has no PostGIS, which the test then says. */
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
    // Only a superuser may create the extension.
    data = await openRestFixture('postgres as superuser', script, {
      EXTRA_SEARCH_PATH: 'public,maps',
      TX_OVERRIDE: 'on',
    });
    if (referenceBinary === null) return;
    reference = await startPostgrest(data.databaseUrl, { PGRST_DB_EXTRA_SEARCH_PATH: 'public,maps' });
  });
  afterAll(async () => {
    await reference?.close();
    await data?.close();
  });

  it('makes a feature of each row', async (context) => {
    if (data === null) return context.skip(missing);
    const { status, body, headers } = await data.ask('/shops?order=id', { headers: geo });
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
  ])('answers %s as PostgREST does', async (_name, path, headers, body) => {
    // Without PostGIS, or on machines for which there is no binary.
    if (data === null || reference === null) return;
    const asked = { path, headers: { Prefer: 'count=exact', ...headers, ...geo }, body };
    const mine = await data.ask(path, { method: body ? 'POST' : 'GET', headers: asked.headers, body });
    const their = await reference.ask(asked);
    const comparable = (status: number, range: string | null, text: string): unknown => {
      const value = JSON.parse(text) as { code?: string };
      return status < 300 ? { status, range, value } : { status, code: value.code };
    };
    expect(comparable(mine.status, mine.headers.get('content-range'), mine.text)).toEqual(
      comparable(their.status, their.headers.get('content-range'), await their.text()),
    );
  });

  it('answers 400 for a shape that GeoJSON does not know', async (context) => {
    if (data === null) return context.skip(missing);
    expect((await data.ask('/roads', { headers: geo })).status).toBe(400);
    // PostGIS writes the same into plain JSON.
    expect((await data.ask('/roads')).status).toBe(400);
    expect((await data.ask('/roads?select=id')).body).toEqual([{ id: 1 }]);
  });
});
