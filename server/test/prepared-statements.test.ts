import { afterAll, beforeAll, expect, it } from 'vitest';
import { openExternal } from '../src/database/external.ts';
import { eachEngine, onServer, openTestDatabase, type TestDatabase } from './support/engines.ts';

eachEngine('prepared statements', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(() => test.dispose());

  const statement = (text: string) => ({ text, values: [] });
  /** One connection serves calls that come one after the other. */
  const held = async (): Promise<number> => {
    const [result] = await test.database.batch([statement('select count(*) from pg_prepared_statements')]);
    return Number(result?.rows[0]?.[0]);
  };
  const fail = async (before: string, text: string, after: string): Promise<void> => {
    const batch = [statement(before), statement(text), statement(after)];
    await expect(test.database.batch(batch, { planKey: 'role' })).rejects.toThrow(/./);
  };

  it('of requests that fail are used again, not left behind', async () => {
    await fail('select 1', 'select 1 / (1 - 1)', 'select 2');
    await fail('select 1', 'select nothing_of_this_name', 'select 2');
    const before = await held();
    for (let n = 0; n < 50; n += 1) {
      await fail('select 1', 'select 1 / (1 - 1)', 'select 2');
      await fail('select 1', 'select nothing_of_this_name', 'select 2');
    }
    expect(await held()).toBe(before);
  });

  it('that make room for others go also when the requests around them fail', async () => {
    for (let n = 0; n < 500; n += 1) await fail(`select ${n}`, 'select 1 / (1 - 1)', 'select 2');
    expect(await held()).toBeLessThanOrEqual(402);
  });

  it('that were forgotten with their plans go too', async () => {
    const maintain = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await maintain('create table public.changing (a int)');
    const read = () => test.database.batch([statement('select * from public.changing')], { planKey: 'role' });
    await read();
    const before = await held();
    for (let n = 0; n < 20; n += 1) {
      await maintain(`alter table public.changing add column b${n} int`);
      await read();
    }
    expect(await held()).toBeLessThanOrEqual(before);
  });

  it('what Postgres does not support is told at once, and run once', async () => {
    const maintain = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await maintain(`create sequence public.runs;
      create function public.unsupported() returns text language plpgsql as
        $$ begin raise 'not here' using errcode = 'feature_not_supported'; end $$`);
    // No rollback takes back what a sequence counted.
    const batch = ["select nextval('public.runs')", 'select public.unsupported()'].map(statement);
    await expect(test.database.batch(batch, { planKey: 'role' })).rejects.toMatchObject({
      code: '0A000',
      message: 'not here',
    });
    expect(await test.database.query(statement('select last_value from public.runs'))).toEqual([
      { last_value: '1' },
    ]);
  });
});

it('are made again on the connection that had old ones, whoever else takes one meanwhile', async () => {
  const test = await openTestDatabase('postgres');
  await onServer(test.url, 'create table public.changing as select 1 as first');
  const settings = { url: test.url, poolSize: 2, waitLimit: 10_000, onConnectionError: () => {} };
  const two = await openExternal(settings);
  const ask = (text: string) => two.batch([{ text, values: [] }], { planKey: 'role' });
  const read = `select * from public.changing, pg_sleep(0.05)`;
  await Promise.all([ask(read), ask(read)]);
  await onServer(test.url, 'alter table public.changing add column second int default 2');
  const [, answer] = await Promise.allSettled([
    ask('select pg_sleep(0.1)'),
    ask(read),
    ask('select pg_sleep(0.3)'),
  ]);
  await two.close();
  await test.dispose();
  expect(answer).toMatchObject({ value: [{ rows: [['1', '2', '']] }] });
});
