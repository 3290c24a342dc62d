/**
 * Measures the list of an administrator with and without 20 connections that send rejected requests: 25 kB
 * with 50 embeds and 150 conditions, and a body of 1 MB, both with the publishable key; then the first one and an
 * unknown column with the token of a user without the role. Run `npm run build`, then `npm run bench -- rejected`.
 * SECONDS sets the duration of each run. RATE_LIMITS=off shows the cost of each rejection without rate limits.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { load } from './server/load.mjs';
import { residentMemory } from './server/instance.mjs';
import {
  fillAccounts,
  describeMachine,
  median,
  openEmbeddedFixture,
  openFixture,
} from './server/fixture.mjs';

const seconds = Number(process.env.SECONDS ?? 10);
const limits = process.env.RATE_LIMITS ?? 'on';
const connections = 20;
const createList = (count, create) => Array.from({ length: count }, (_, index) => create(index));

const embeds = createList(50, (n) => `eVARY_${n}:account_members(id,user_id,status)`).join();
const conditions = createList(150, (n) => `name=neq.${'x'.repeat(140)}${n}`).join('&');
const largeQuery = `accounts?select=id,${embeds}&${conditions}`;

const bodyFile = path.join(os.tmpdir(), `lanternrock-bench-body-${process.pid}.json`);
fs.writeFileSync(bodyFile, `[${createList(349_000, () => '{}').join()}]`);

/** Returns the private memory of the Postgres processes, in MiB. */
async function readPostgresMemory({ query }) {
  if (!query) return 0;
  const rows = await query('select pid from pg_stat_activity');
  const sizes = rows.map(({ pid }) => {
    const status = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, 'utf8') : '';
    return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0);
  });
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}

/** Requests the list sequentially, as one administrator. Returns the durations in milliseconds. */
async function measureListTimes({ url, anonKey, token }, until) {
  const times = [];
  const headers = { apikey: anonKey, Authorization: `Bearer ${token}` };
  do {
    const startedAt = performance.now();
    const response = await fetch(`${url}/rest/v1/accounts?select=*&order=created_at.desc&limit=10`, {
      headers,
    });
    await response.text();
    if (!response.ok) throw new Error(`The list failed with ${response.status}`);
    times.push(performance.now() - startedAt);
  } while (performance.now() < until);
  return times;
}

async function measure(engine, fixture) {
  const memberAccount = { email: 'member@example.org', password: 'lantern on the pier 8' };
  const member = await (await fixture.post('/auth/v1/signup', memberAccount)).json();
  const anonymous = { apikey: fixture.anonKey };
  const signedIn = { ...anonymous, Authorization: `Bearer ${member.access_token}` };
  const attacks = {
    none: null,
    '25 kB, no user': { url: `${fixture.url}/rest/v1/${largeQuery}`, headers: anonymous, vary: true },
    '1 MB body, no user': {
      url: `${fixture.url}/rest/v1/accounts`,
      method: 'POST',
      headers: { ...anonymous, 'Content-Type': 'application/json' },
      bodyFile,
    },
    '25 kB with an unknown column, user without the role': {
      url: `${fixture.url}/rest/v1/${largeQuery}&secret=eq.x`,
      headers: signedIn,
      vary: true,
    },
  };
  await measureListTimes(fixture, performance.now() + 3000);
  const rows = [];
  for (const [attack, request] of Object.entries(attacks)) {
    const before = [residentMemory(fixture.pid), await readPostgresMemory(fixture)];
    const measureUnderLoad = async () => {
      // The load generator needs a moment to start.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return measureListTimes(fixture, performance.now() + seconds * 1000);
    };
    const [durations, result] = await Promise.all([
      measureUnderLoad(),
      request && load({ ...request, connections, seconds: seconds + 2 }),
    ]);
    if (result && result.failures < result.requests)
      throw new Error(`${result.requests - result.failures} requests of "${attack}" were accepted`);
    const times = durations.toSorted((a, b) => a - b);
    const after = [residentMemory(fixture.pid), await readPostgresMemory(fixture)];
    rows.push({
      engine,
      attack,
      'rejected/s': Math.round(result?.rate ?? 0),
      lists: times.length,
      'median ms': median(times).toFixed(1),
      'p95 ms': (times[Math.floor(times.length * 0.95)] ?? 0).toFixed(1),
      'times without attack': (median(times) / Number(rows[0]?.['median ms'] ?? median(times))).toFixed(1),
      'service MiB': before[0] + ' -> ' + after[0],
      'Postgres MiB': fixture.query ? before[1] + ' -> ' + after[1] : '',
    });
  }
  return rows;
}

console.log(describeMachine());
try {
  const fixture = await openFixture({ environment: { RATE_LIMITS: limits } });
  try {
    await fillAccounts(fixture, 1000);
    console.table(await measure('Postgres', fixture));
  } finally {
    await fixture.stop();
  }
  const embedded = await openEmbeddedFixture({ environment: { RATE_LIMITS: limits } });
  try {
    const account = (n) => ({ name: `Patrol ${n}`, slug: `patrol-${n}`, account_type: 'enterprise' });
    await embedded.insert('accounts', createList(1000, account));
    console.table(await measure('embedded', embedded));
  } finally {
    await embedded.stop();
  }
} finally {
  fs.rmSync(bodyFile, { force: true });
}
console.log(describeMachine());
