import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openExternal } from '@lanternrock/postgres/external';
import { startPgBouncer } from './support/pgbouncer.ts';
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
  const heldTexts = async (): Promise<string[]> => {
    const [result] = await test.database.batch([statement('select statement from pg_prepared_statements')]);
    return (result?.rows ?? []).map(([text]) => text ?? '');
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

  it('are not kept when they were rejected, nor those after them that never ran', async () => {
    await fail('select 1 as before', 'select * from nothing_of_this_name', 'select 1 as after');
    await fail('select 1 as before', 'select 1 / (2 - 2) as rejected', 'select 1 as after');
    const texts = await heldTexts();
    expect(texts.filter((text) => /before|nothing|rejected|after/.test(text))).toEqual([
      'select 1 as before',
    ]);
  });

  it('are kept up to a number of bytes, also when the requests around them fail', async () => {
    // Each of 4 kB, 160 kB together.
    const long = (n: number): string => `select ${n} /* ${'x'.repeat(4000)} */`;
    for (let n = 0; n < 40; n += 1) await fail(long(n), 'select 1 / (1 - 1)', 'select 2');
    const bytes = (await heldTexts()).reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(75_000);
  });

  it('that are very long are used and not kept', async () => {
    const before = await held();
    const text = `select 1 /* ${'x'.repeat(20_000)} */`;
    for (let n = 0; n < 3; n += 1) await test.database.batch([statement(text)], { planKey: 'role' });
    expect(await held()).toBe(before);
  });

  it('that are gone from the connection are prepared again, and a write runs once', async () => {
    const maintain = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await maintain('create table public.written (n int)');
    const write = () =>
      test.database.batch(['select 1 as first', 'insert into public.written values (1)'].map(statement), {
        planKey: 'role',
      });
    await write();
    await test.database.batch([statement(`do $$ begin execute 'deallocate all'; end $$`)]);
    await write();
    await write();
    expect(await test.database.query(statement('select count(*)::int from public.written'))).toEqual([
      { count: 3 },
    ]);
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

it('are given up when a pooler puts other connections behind them, and every response is right', async () => {
  const test = await openTestDatabase('postgres');
  await onServer(test.url, 'create table public.written (n int)');
  const pooler = await startPgBouncer(test.url, 'session', 8);
  const settings = { poolSize: 5, waitLimit: 10_000, onConnectionError: () => {} };
  const pooled = await openExternal({ ...settings, url: pooler.url });
  expect(pooled.pooling).toBe('session');
  const columns = ['a', 'b', 'c', 'd'];
  const round = (turn: number) =>
    columns.map(async (column, index) => {
      const texts = [
        `select ${index} as ${column}`,
        `insert into public.written values (${turn}) returning n`,
      ];
      const results = await pooled.batch(
        texts.map((text) => ({ text, values: [] })),
        { planKey: 'role' },
      );
      expect(results.map(({ rows }) => rows)).toEqual([[[String(index)]], [[String(turn)]]]);
    });
  await Promise.all(round(0));
  await pooler.restart('transaction');
  await vi.waitUntil(() => pooled.connections().open === 0);
  for (let turn = 1; turn < 30; turn += 1) await Promise.all(round(turn));
  const [count] = await pooled.batch([{ text: 'select count(*) from public.written', values: [] }]);
  expect(count?.rows).toEqual([['120']]);
  await pooled.close();
  const again = await openExternal({ ...settings, url: pooler.url });
  expect([again.pooling, again.listen]).toEqual(['transaction', undefined]);
  await again.close();
  await pooler.stop();
  await test.dispose();
});
