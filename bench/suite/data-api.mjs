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
async function startServers(fixture, query, { method, headers, body }) {
  const instance = { url: `${fixture.url}/rest/v1/${query}`, method, headers, body, pid: fixture.pid };
  return {
    instance,
    bareDriver: await startBareDriver(fixture, instance),
    postgrest: await startPostgrest(fixture, { query, method, headers, body }),
  };
}

const toRows = (action, { instance, bareDriver, postgrest }, goals) => {
  const failures = instance.failures + bareDriver.failures + postgrest.failures;
  if (failures > 0) throw new Error(`${action}: ${failures} errors or missing responses`);
  return [
    reportRow(`${action}, requests/s`, instance.rate, 'bare driver', bareDriver.rate, goals.bareDriver),
    reportRow(`${action}, requests/s`, instance.rate, 'PostgREST 12.0.2', postgrest.rate, goals.postgrest),
    reportRow(`${action}, processor µs`, instance.processor, 'bare driver', bareDriver.processor),
    reportRow(`${action}, processor µs`, instance.processor, 'PostgREST 12.0.2', postgrest.processor),
  ];
};

async function measure(fixture, action, query, request, { seconds, runs, goals }) {
  const servers = await startServers(fixture, query, request);
  try {
    return toRows(action, await compare(servers, { connections, seconds, runs }), goals);
  } finally {
    await Promise.all([servers.bareDriver.stop(), servers.postgrest.stop()]);
  }
}

export async function measureDataApi({ seconds, runs }) {
  const fixture = await openFixture();
  try {
    await fillAccounts(fixture, 1000);
    const headers = { Authorization: `Bearer ${fixture.token}`, apikey: fixture.anonKey };
    const reads = await measure(
      fixture,
      'read 10 accounts',
      page,
      { method: 'GET', headers },
      {
        seconds,
        runs,
        goals: { bareDriver: '0.7 or more', postgrest: '3 or more' },
      },
    );
    const account = {
      name: 'Vail Ski Patrol',
      slug: 'vail-ski-patrol',
      account_type: 'organization',
      city: 'Vail',
      created_by: fixture.userId,
    };
    const post = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Prefer: 'return=representation' },
      body: JSON.stringify(account),
    };
    const writes = await measure(fixture, 'insert an account, with its representation', 'accounts', post, {
      seconds,
      runs,
      goals: { bareDriver: '', postgrest: '' },
    });
    return [...reads, ...writes];
  } finally {
    await fixture.stop();
  }
}
