import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openExternal } from '@lanternrock/postgres/external';
import { startPgBouncer } from '@lanternrock/testing/pgbouncer';
import { eachEngine, onServer, openTestDatabase, type TestDatabase } from '@lanternrock/testing/engines';

eachEngine('prepared statements', (engine) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase(engine);
  });
  afterAll(() => test.dispose());

  const statement = (text: string) => ({ text, values: [] });
  /** Returns the number of prepared statements. Sequential calls use the same connection. */
  const countPrepared = async (): Promise<number> => {
    const [result] = await test.database.batch([statement('select count(*) from pg_prepared_statements')]);
    return Number(result?.rows[0]?.[0]);
  };
  const preparedTexts = async (): Promise<string[]> => {
    const [result] = await test.database.batch([statement('select statement from pg_prepared_statements')]);
    return (result?.rows ?? []).map(([text]) => text ?? '');
  };
  const runFailingBatch = async (before: string, text: string, after: string): Promise<void> => {
    const batch = [statement(before), statement(text), statement(after)];
    await expect(test.database.batch(batch, { planKey: 'role' })).rejects.toThrow(/./);
  };

  it('of failed requests are reused', async () => {
    await runFailingBatch('select 1', 'select 1 / (1 - 1)', 'select 2');
    await runFailingBatch('select 1', 'select nothing_of_this_name', 'select 2');
    const before = await countPrepared();
    for (let n = 0; n < 50; n += 1) {
      await runFailingBatch('select 1', 'select 1 / (1 - 1)', 'select 2');
      await runFailingBatch('select 1', 'select nothing_of_this_name', 'select 2');
    }
    expect(await countPrepared()).toBe(before);
  });

  it('are not kept if they fail, and neither are later statements of the batch', async () => {
    await runFailingBatch('select 1 as before', 'select * from nothing_of_this_name', 'select 1 as after');
    await runFailingBatch('select 1 as before', 'select 1 / (2 - 2) as rejected', 'select 1 as after');
    const texts = await preparedTexts();
    expect(texts.filter((text) => /before|nothing|rejected|after/.test(text))).toEqual([
      'select 1 as before',
    ]);
  });

  it('are kept up to a total size, also if their requests fail', async () => {
    // 4 kB each, 160 kB in total.
    const long = (n: number): string => `select ${n} /* ${'x'.repeat(4000)} */`;
    for (let n = 0; n < 40; n += 1) await runFailingBatch(long(n), 'select 1 / (1 - 1)', 'select 2');
    const bytes = (await preparedTexts()).reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(75_000);
  });

  it('are not kept if they are very long', async () => {
    const before = await countPrepared();
    const text = `select 1 /* ${'x'.repeat(20_000)} */`;
    for (let n = 0; n < 3; n += 1) await test.database.batch([statement(text)], { planKey: 'role' });
    expect(await countPrepared()).toBe(before);
  });

  it('are prepared again after DEALLOCATE, and a write runs once', async () => {
    const runScript = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await runScript('create table public.written (n int)');
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

  it('with invalidated plans are deallocated', async () => {
    const runScript = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await runScript('create table public.changing (a int)');
    const read = () => test.database.batch([statement('select * from public.changing')], { planKey: 'role' });
    await read();
    const before = await countPrepared();
    for (let n = 0; n < 20; n += 1) {
      await runScript(`alter table public.changing add column b${n} int`);
      await read();
    }
    expect(await countPrepared()).toBeLessThanOrEqual(before);
  });

  it('are not retried after feature_not_supported', async () => {
    const runScript = (text: string) => test.database.maintenance((tx) => test.database.script(tx, text));
    await runScript(`create sequence public.runs;
      create function public.unsupported() returns text language plpgsql as
        $$ begin raise 'not here' using errcode = 'feature_not_supported'; end $$`);
    // A rollback does not reset a sequence.
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

it('are prepared again on the connection that has outdated ones, despite concurrent requests', async () => {
  const test = await openTestDatabase('postgres');
  await onServer(test.url, 'create table public.changing as select 1 as first');
  const settings = { url: test.url, poolSize: 2, connectionTimeoutMs: 10_000, onConnectionError: () => {} };
  const database = await openExternal(settings);
  const run = (text: string) => database.batch([{ text, values: [] }], { planKey: 'role' });
  const read = `select * from public.changing, pg_sleep(0.05)`;
  await Promise.all([run(read), run(read)]);
  await onServer(test.url, 'alter table public.changing add column second int default 2');
  const [, result] = await Promise.allSettled([
    run('select pg_sleep(0.1)'),
    run(read),
    run('select pg_sleep(0.3)'),
  ]);
  await database.close();
  await test.dispose();
  expect(result).toMatchObject({ value: [{ rows: [['1', '2', '']] }] });
});

it('are disabled if a pooler switches to transaction mode, and all responses are correct', async () => {
  const test = await openTestDatabase('postgres');
  await onServer(test.url, 'create table public.written (n int)');
  const pooler = await startPgBouncer(test.url, 'session', 8);
  const settings = { poolSize: 5, connectionTimeoutMs: 10_000, onConnectionError: () => {} };
  const pooled = await openExternal({ ...settings, url: pooler.url });
  expect(pooled.pooling).toBe('session');
  const columns = ['a', 'b', 'c', 'd'];
  const runBatches = (turn: number) =>
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
  await Promise.all(runBatches(0));
  await pooler.restart('transaction');
  await vi.waitUntil(() => pooled.connections().open === 0);
  for (let turn = 1; turn < 30; turn += 1) await Promise.all(runBatches(turn));
  const [count] = await pooled.batch([{ text: 'select count(*) from public.written', values: [] }]);
  expect(count?.rows).toEqual([['120']]);
  await pooled.close();
  const reopened = await openExternal({ ...settings, url: pooler.url });
  expect([reopened.pooling, reopened.listen]).toEqual(['transaction', undefined]);
  await reopened.close();
  await pooler.stop();
  await test.dispose();
});
