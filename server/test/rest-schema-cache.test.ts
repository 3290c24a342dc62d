/** When the data interface learns of a changed catalog, and when it keeps what it made of the old one. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { sql } from '../src/database/sql.ts';
import { SchemaCacheHolder } from '../src/rest/schema-cache-holder.ts';
import { openDataInterface, type DataInterface } from './support/data-interface.ts';
import { eachEngine } from './support/engines.ts';

eachEngine('the schema cache', (engine) => {
  let data: DataInterface;
  beforeAll(async () => {
    data = await openDataInterface(engine, '');
  });
  afterAll(async () => data.close());

  it('knows a new table after a reload', async () => {
    await data.database.maintenance((tx) =>
      data.database.script(
        tx,
        'create table public.late (id integer); grant select on public.late to service_role',
      ),
    );
    await data.rest.reload();
    expect((await data.ask('/late')).body).toEqual([]);
  });

  it('keeps the plans when nothing changed', async () => {
    const holder = new SchemaCacheHolder({
      database: data.database,
      config: readConfig({}),
      log: pino({ level: 'silent' }),
      now: () => new Date(),
    });
    let cleared = 0;
    holder.onReload(() => (cleared += 1));
    await holder.reload();
    const known = await holder.get();
    await holder.reload();
    expect([cleared, (await holder.get()) === known]).toEqual([1, true]);
    await data.database.maintenance((tx) =>
      data.database.script(
        tx,
        'revoke select on public.late from service_role; grant select on public.late to service_role; create table public.later (id integer)',
      ),
    );
    await holder.reload();
    expect([cleared, (await holder.get()) === known]).toEqual([2, false]);
  });

  it('survives that a table changes under a known plan', async () => {
    expect((await data.ask('/late')).status).toBe(200);
    await data.database.maintenance((tx) =>
      data.database.script(tx, 'alter table public.late add column word text'),
    );
    await data.database.query(sql`insert into public.late values (1, 'w')`);
    expect((await data.ask('/late')).body).toEqual([{ id: 1, word: 'w' }]);
  });
});
