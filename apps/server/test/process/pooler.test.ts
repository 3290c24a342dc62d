/** Two processes of the built service on one Postgres database behind PgBouncer. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, startInstance, type Instance } from '../../../../e2e/support/instance.ts';
import { onServer } from '@lanternrock/testing/engines';
import { startPgBouncer, type PgBouncer } from '@lanternrock/testing/pgbouncer';
import { startPostgres, type PostgresServer } from '@lanternrock/testing/postgres-server';
import { runs } from '@lanternrock/testing/property-runs';

type Row = Readonly<Record<string, unknown>>;

const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const clients = 8;
const serviceRoleKey = `sb_secret_${randomBytes(24).toString('base64url')}`;

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => postgres.stop());

describe.each(['session', 'transaction'] as const)('behind PgBouncer in %s mode', (mode) => {
  let pooler: PgBouncer;
  let replicas: readonly Instance[];
  beforeAll(async () => {
    await onServer(postgres.ownerUrl, `create database behind_${mode}`);
    const url = new URL(postgres.databaseUrl);
    url.pathname = `/behind_${mode}`;
    // In session mode every connection of both replicas needs a server connection. In transaction mode they share
    // few.
    pooler = await startPgBouncer(url.href, mode, mode === 'session' ? 30 : 3);
    const environment = {
      DATABASE_URL: pooler.url,
      DATABASE_POOL: '5',
      SECRETS_KEY: randomBytes(32).toString('base64url'),
      SERVICE_ROLE_KEY: serviceRoleKey,
      SITE_URL: 'http://localhost:3000',
    };
    const { code, output } = await runCommand(['migrate'], environment);
    if (code !== 0) throw new Error(output);
    await onServer(
      url.href,
      `create table public.wide (id int primary key, ${columns.map((name) => `${name} text`).join()});
       grant all on public.wide to service_role;
       insert into public.wide select n, ${columns.map((name) => `'${name} of ' || n`).join()}
         from generate_series(0, ${clients - 1}) n;`,
    );
    replicas = await Promise.all([startInstance({ environment }), startInstance({ environment })]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await pooler.stop();
  });

  it('warns once at startup about the limits of transaction mode', () => {
    for (const replica of replicas)
      expect(replica.log().split('pooler in transaction mode').length - 1).toBe(
        mode === 'transaction' ? 1 : 0,
      );
  });

  it('two replicas return and write only the requested columns of the requested rows', async () => {
    const counts = { reads: 0, writes: 0, mismatched: 0, failed: 0 };
    const call = async (turn: number, query: string, changes?: Row): Promise<Row> => {
      const response = await fetch(`${replicas[turn % 2]?.url ?? ''}/rest/v1/wide?${query}`, {
        method: changes ? 'PATCH' : 'GET',
        ...(changes && { body: JSON.stringify(changes) }),
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/vnd.pgrst.object+json',
          Prefer: 'return=representation',
          apikey: serviceRoleKey,
        },
      });
      if (!response.ok) counts.failed += 1;
      return (await response.json()) as Row;
    };
    const total = runs({ short: 400, long: 50_000 });
    // Each client works on its own row, so it knows the expected content of every response.
    const client = async (number: number): Promise<void> => {
      let row: Row = Object.fromEntries([
        ['id', number],
        ...columns.map((name) => [name, `${name} of ${number}`]),
      ]);
      for (let turn = number; turn < total; turn += clients) {
        // The selection changes at each turn, so that each replica prepares its statements in a different order.
        const mask = 1 + ((turn * 37 + number) % (2 ** columns.length - 1));
        const selected = columns.filter((_, bit) => mask & (1 << bit));
        const writes = turn % 5 === 0;
        counts[writes ? 'writes' : 'reads'] += 1;
        const changes = writes && Object.fromEntries(selected.map((name) => [name, `${name} at ${turn}`]));
        if (changes) row = { ...row, ...changes };
        const response = await call(
          (turn + number) >> 3,
          `id=eq.${number}&select=${selected.join()}`,
          changes || undefined,
        );
        const expected = Object.fromEntries(selected.map((name) => [name, row[name]]));
        if (JSON.stringify(response) !== JSON.stringify(expected)) counts.mismatched += 1;
      }
      expect(await call(number, `id=eq.${number}`)).toEqual(row);
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
    console.log(`PgBouncer, ${mode} mode: ${JSON.stringify(counts)}`);
    expect(counts).toMatchObject({ mismatched: 0, failed: 0 });
  });
});
