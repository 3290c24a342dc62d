/** The limit of the rows that a user writes, for every kind of write. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '@lanternrock/postgres';
import { eachEngine } from '@lanternrock/testing/engines';
import { openRestFixture, type RestFixture } from './support/rest-fixture.ts';

const script = `
  create table public.own (id integer primary key, owner text not null);
  grant select, insert, update, delete on public.own to authenticated, service_role;
  insert into public.own values (1, 'me');
  create function public.add_own(id integer) returns void language sql as 'insert into public.own values (id, ''me'')';
  grant execute on function public.add_own to authenticated;
`;

eachEngine('writes', (engine) => {
  let data: RestFixture;
  /** Response of the limiter. */
  let waitSeconds = 0;
  beforeAll(async () => {
    const reserveWrites = async (): Promise<number> => waitSeconds;
    data = await openRestFixture(engine, script, { reserveWrites });
  });
  afterAll(async () => data.close());

  it('of a user have a limit, of every kind', async () => {
    const rows = (): Promise<unknown[]> => data.database.query(sql`select * from public.own order by id`);
    const before = await rows();
    const limited: readonly [method: string, path: string, body?: object][] = [
      ['POST', '/own', { id: 7, owner: 'me' }],
      ['PUT', '/own?id=eq.1', { id: 1, owner: 'me' }],
      ['PATCH', '/own?id=eq.1', { owner: 'me' }],
      ['DELETE', '/own?id=eq.1'],
      ['POST', '/rpc/add_own', { id: 8 }],
    ];
    // The limiter is asked only when a block of rows is used up.
    const useBlock = Array.from({ length: 500 }, (_, index) => ({ id: 1000 + index, owner: 'me' }));
    expect((await data.request('/own', { method: 'POST', body: useBlock, as: 'authenticated' })).status).toBe(
      201,
    );
    await data.database.query(sql`delete from public.own where id >= 1000`);
    waitSeconds = 42;
    try {
      for (const [method, path, body] of limited) {
        const {
          status,
          body: error,
          headers,
        } = await data.request(path, { method, body, as: 'authenticated' });
        expect([method, status, error, headers.get('retry-after')]).toMatchObject([
          method,
          429,
          { code: '429' },
          '42',
        ]);
      }
      expect((await data.request('/own', { as: 'authenticated' })).status).toBe(200);
      const service = await data.request('/own', { method: 'POST', body: { id: 9, owner: 'x' } });
      expect(service.status).toBe(201);
      await data.database.query(sql`delete from public.own where id = 9`);
    } finally {
      waitSeconds = 0;
    }
    expect(await rows()).toEqual(before);
    for (const [method, path, body] of limited)
      expect((await data.request(path, { method, body, as: 'authenticated' })).status, method).toBeLessThan(
        300,
      );
  });

  it('also counts rows that an error has undone', async () => {
    await data.database.query(
      sql`insert into public.own select 2000 + n, 'me' from generate_series(1, 1200) n`,
    );
    const patch = (path: string, prefer = '') =>
      data.request(path, {
        method: 'PATCH',
        body: { owner: 'you' },
        as: 'authenticated',
        headers: { Prefer: prefer },
      });
    const refused = await patch('/own?id=gte.2000', 'handling=strict, max-affected=1');
    expect([refused.status, refused.body]).toMatchObject([400, { code: 'PGRST124' }]);
    waitSeconds = 42;
    try {
      expect((await patch('/own?id=eq.1')).status).toBe(429);
    } finally {
      waitSeconds = 0;
      await data.database.query(sql`delete from public.own where id >= 2000`);
    }
  });
});
