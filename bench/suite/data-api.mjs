/**
 * Reads and writes of accounts, compared with the bare driver with the same statements, and with PostgREST.
 */
import { compare } from '../server/compare.mjs';
import { startBareDriver, startPostgrest } from '../server/baselines.mjs';
import { fillAccounts, openFixture } from '../server/fixture.mjs';
import { reportRow } from './report.mjs';

const connections = 10;
const page = 'accounts?select=*&order=created_at.desc&limit=10';

/** @returns the `load` options of the three servers by name */
async function serversFor(stand, query, { method, headers, body }) {
  const ours = { url: `${stand.url}/rest/v1/${query}`, method, headers, body, pid: stand.pid };
  return {
    ours,
    bound: await startBareDriver(stand, ours),
    postgrest: await startPostgrest(stand, { query, method, headers, body }),
  };
}

const rowsOf = (act, { ours, bound, postgrest }, goals) => {
  const failures = ours.failures + bound.failures + postgrest.failures;
  if (failures > 0) throw new Error(`${act}: ${failures} errors or missing responses`);
  return [
    reportRow(`${act}, requests/s`, ours.rate, 'bare driver', bound.rate, goals.bound),
    reportRow(`${act}, requests/s`, ours.rate, 'PostgREST 12.0.2', postgrest.rate, goals.postgrest),
    reportRow(`${act}, processor µs`, ours.processor, 'bare driver', bound.processor),
    reportRow(`${act}, processor µs`, ours.processor, 'PostgREST 12.0.2', postgrest.processor),
  ];
};

async function measure(stand, act, query, request, { seconds, runs, goals }) {
  const servers = await serversFor(stand, query, request);
  try {
    return rowsOf(act, await compare(servers, { connections, seconds, runs }), goals);
  } finally {
    await Promise.all([servers.bound.stop(), servers.postgrest.stop()]);
  }
}

export async function measureData({ seconds, runs }) {
  const stand = await openFixture();
  try {
    await fillAccounts(stand, 1000);
    const headers = { Authorization: `Bearer ${stand.token}`, apikey: stand.anonKey };
    const reads = await measure(
      stand,
      'read 10 accounts',
      page,
      { method: 'GET', headers },
      {
        seconds,
        runs,
        goals: { bound: '0.7 or more', postgrest: '3 or more' },
      },
    );
    const account = {
      name: 'Vail Ski Patrol',
      slug: 'vail-ski-patrol',
      account_type: 'organization',
      city: 'Vail',
      created_by: stand.userId,
    };
    const post = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Prefer: 'return=representation' },
      body: JSON.stringify(account),
    };
    const writes = await measure(stand, 'insert an account, with its representation', 'accounts', post, {
      seconds,
      runs,
      goals: { bound: '', postgrest: '' },
    });
    return [...reads, ...writes];
  } finally {
    await stand.stop();
  }
}
