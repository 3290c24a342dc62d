/** Two replicas on one Postgres database, compared with one: throughput, cost, and consistency. */
import { randomUUID } from 'node:crypto';
import { load, warmUp } from '../server/load.mjs';
import { startInstance } from '../server/instance.mjs';
import { fillAccounts, median, openFixture } from '../server/fixture.mjs';
import { reportRow } from './report.mjs';

const connections = 20;

/**
 * Reads from all replicas concurrently, with the connections divided between them.
 * @returns requests/s of all replicas, and µs of processor time per request
 */
async function measureReads(replicas, { path, headers, seconds }) {
  const measured = await Promise.all(
    replicas.map(({ url, pid }) =>
      load({ url: url + path, headers, connections: connections / replicas.length, seconds, pid }),
    ),
  );
  const rate = measured.reduce((sum, one) => sum + one.rate, 0);
  const processor = measured.reduce((sum, one) => sum + one.processor * one.rate, 0) / rate;
  const failures = measured.reduce((sum, one) => sum + one.failures, 0);
  if (failures > 0) throw new Error(`${failures} reads of ${replicas.length} replicas failed`);
  return { rate, processor };
}

const countConnections = async (fixture) =>
  (
    await fixture.query(
      `select count(*)::int as open from pg_stat_activity where application_name = 'lanternrock'`,
    )
  )[0].open;

/**
 * Sends the same 50 inserts to both replicas concurrently, each with an idempotency key.
 * @returns the number of created rows
 */
async function insertTwice(fixture, replicas, headers) {
  const name = `Twice ${randomUUID()}`;
  const account = { name, slug: 'twice', account_type: 'organization', created_by: fixture.userId };
  const body = JSON.stringify(account);
  await Promise.all(
    Array.from({ length: 50 }, randomUUID).flatMap((key) =>
      replicas.map(async ({ url }) => {
        const insertHeaders = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': key };
        const response = await fetch(`${url}/rest/v1/accounts`, {
          method: 'POST',
          headers: insertHeaders,
          body,
        });
        if (response.status !== 201)
          throw new Error(`An insert returned ${response.status} ${await response.text()}`);
        await response.arrayBuffer();
      }),
    ),
  );
  const [{ rows }] = await fixture.query(
    'select count(*)::int as rows from public.accounts where name = $1',
    [name],
  );
  return rows;
}

/** Returns the response of the second replica to a session that was revoked on the first. */
async function afterSignOut(fixture, replicas) {
  const response = await fixture.post('/auth/v1/token?grant_type=password', fixture);
  const headers = {
    apikey: fixture.anonKey,
    Authorization: `Bearer ${(await response.json()).access_token}`,
  };
  const readAccounts = () => fetch(`${replicas[1].url}/rest/v1/accounts?limit=1`, { headers });
  const before = (await readAccounts()).status;
  await fetch(`${replicas[0].url}/auth/v1/logout?scope=local`, { method: 'POST', headers });
  return `${before}, then ${(await readAccounts()).status}`;
}

export async function measureReplicas({ seconds, runs }) {
  const fixture = await openFixture();
  // Replicas share one public URL, which the tokens contain.
  const SITE_URL = fixture.url.replace('127.0.0.1', 'localhost');
  const second = await startInstance({ environment: { ...fixture.settings, SITE_URL } });
  try {
    await fillAccounts(fixture, 1000);
    const headers = { Authorization: `Bearer ${fixture.token}`, apikey: fixture.anonKey };
    const reads = { path: '/rest/v1/accounts?select=*&order=created_at.desc&limit=10', headers, seconds };
    const replicas = [fixture, second];
    for (const replica of replicas) await measureReads([replica], { ...reads, seconds: warmUp(seconds) });
    const [one, two, open] = [[], [], []];
    for (let run = 0; run < runs; run += 1) {
      one.push(await measureReads([fixture], reads));
      two.push(await measureReads(replicas, reads));
      open.push(await countConnections(fixture));
    }
    const medianOf = (all, figure) => median(all.map((result) => result[figure]));
    const rows = await insertTwice(fixture, replicas, headers);
    return [
      reportRow('two replicas, requests/s', medianOf(two, 'rate'), 'one replica', medianOf(one, 'rate')),
      reportRow(
        'two replicas, processor µs',
        medianOf(two, 'processor'),
        'one replica',
        medianOf(one, 'processor'),
        'about 1',
      ),
      reportRow(
        'two replicas, connections to Postgres',
        median(open),
        'twice DATABASE_POOL, and 4 more',
        24,
        '1 or less',
      ),
      reportRow('50 concurrent inserts on both replicas, rows', rows, 'each once', 50, '1'),
      reportRow(
        'a session revoked on one replica, on the other',
        await afterSignOut(fixture, replicas),
        'immediately',
        '200, then 401',
      ),
    ];
  } finally {
    await second.stop();
    await fixture.stop();
  }
}
