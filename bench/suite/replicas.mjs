/** Two replicas on one Postgres database, compared with one: throughput, cost, and consistency. */
import { randomUUID } from 'node:crypto';
import { load, warmUp } from '../server/load.mjs';
import { startProduct } from '../server/instance.mjs';
import { fillAccounts, median, openFixture } from '../server/fixture.mjs';
import { reportRow } from './report.mjs';

const connections = 20;

/**
 * Reads from all replicas concurrently, with the connections divided between them.
 * @returns requests/s of all replicas, and µs of processor time per request
 */
async function readsOn(copies, { address, headers, seconds }) {
  const measured = await Promise.all(
    copies.map(({ url, pid }) =>
      load({ url: url + address, headers, connections: connections / copies.length, seconds, pid }),
    ),
  );
  const rate = measured.reduce((sum, one) => sum + one.rate, 0);
  const processor = measured.reduce((sum, one) => sum + one.processor * one.rate, 0) / rate;
  const failures = measured.reduce((sum, one) => sum + one.failures, 0);
  if (failures > 0) throw new Error(`${failures} reads of ${copies.length} replicas failed`);
  return { rate, processor };
}

const connectionsOf = async (stand) =>
  (
    await stand.query(
      `select count(*)::int as open from pg_stat_activity where application_name = 'lanternrock'`,
    )
  )[0].open;

/**
 * Sends the same 50 inserts to both replicas concurrently, each with an idempotency key.
 * @returns the number of created rows
 */
async function insertedOnce(stand, copies, headers) {
  const name = `Twice ${randomUUID()}`;
  const account = { name, slug: 'twice', account_type: 'organization', created_by: stand.userId };
  const body = JSON.stringify(account);
  await Promise.all(
    Array.from({ length: 50 }, randomUUID).flatMap((key) =>
      copies.map(async ({ url }) => {
        const withKey = { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': key };
        const answer = await fetch(`${url}/rest/v1/accounts`, { method: 'POST', headers: withKey, body });
        if (answer.status !== 201)
          throw new Error(`An insert returned ${answer.status} ${await answer.text()}`);
        await answer.arrayBuffer();
      }),
    ),
  );
  const [{ rows }] = await stand.query('select count(*)::int as rows from public.accounts where name = $1', [
    name,
  ]);
  return rows;
}

/** Returns the response of the second replica to a session that was revoked on the first. */
async function afterSignOut(stand, copies) {
  const answer = await stand.post('/auth/v1/token?grant_type=password', stand);
  const headers = { apikey: stand.anonKey, Authorization: `Bearer ${(await answer.json()).access_token}` };
  const asked = () => fetch(`${copies[1].url}/rest/v1/accounts?limit=1`, { headers });
  const before = (await asked()).status;
  await fetch(`${copies[0].url}/auth/v1/logout?scope=local`, { method: 'POST', headers });
  return `${before}, then ${(await asked()).status}`;
}

export async function measureCopies({ seconds, runs }) {
  const stand = await openFixture();
  // Replicas share one public URL, which the tokens contain.
  const SITE_URL = stand.url.replace('127.0.0.1', 'localhost');
  const second = await startProduct({ environment: { ...stand.settings, SITE_URL } });
  try {
    await fillAccounts(stand, 1000);
    const headers = { Authorization: `Bearer ${stand.token}`, apikey: stand.anonKey };
    const reads = { address: '/rest/v1/accounts?select=*&order=created_at.desc&limit=10', headers, seconds };
    const copies = [stand, second];
    for (const copy of copies) await readsOn([copy], { ...reads, seconds: warmUp(seconds) });
    const [one, two, open] = [[], [], []];
    for (let run = 0; run < runs; run += 1) {
      one.push(await readsOn([stand], reads));
      two.push(await readsOn(copies, reads));
      open.push(await connectionsOf(stand));
    }
    const of = (all, figure) => median(all.map((result) => result[figure]));
    const rows = await insertedOnce(stand, copies, headers);
    return [
      reportRow('two copies, requests/s', of(two, 'rate'), 'one copy', of(one, 'rate')),
      reportRow(
        'two copies, processor µs',
        of(two, 'processor'),
        'one copy',
        of(one, 'processor'),
        'about 1',
      ),
      reportRow(
        'two copies, connections to Postgres',
        median(open),
        'DATABASE_POOL twice, 4 that listen',
        24,
        '1 or less',
      ),
      reportRow('50 inserts on both replicas concurrently, rows', rows, 'each once', 50, '1'),
      reportRow(
        'a session ended on one copy, on the other',
        await afterSignOut(stand, copies),
        'immediately',
        '200, then 401',
      ),
    ];
  } finally {
    await second.stop();
    await stand.stop();
  }
}
