/**
 * Measures how long requests of the embedded database wait for a backup and for vacuum, the size of the database after
 * many updates, and a shutdown under load. Run `npm run build`, then `npm run bench -- maintenance`. ACCOUNTS and UPDATES set
 * the counts.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { insertAccounts } from './server/insert-accounts.mjs';
import { startSteadyLoad } from './server/steady-load.mjs';
import { describeMachine, openEmbeddedFixture } from './server/fixture.mjs';

const accounts = Number(process.env.ACCOUNTS ?? 100_000);
const updates = Number(process.env.UPDATES ?? 500_000);
const entry = fileURLToPath(new URL('../apps/server/bin/lanternrock.mjs', import.meta.url));
const metricsToken = 'bench';
const batchRows = 500;
const keepAliveClients = 20;

/** Updates every account as often as needed for `updates` rows. */
async function updateAccounts({ url, anonKey, token }) {
  const batches = Math.ceil(accounts / batchRows);
  for (let batch = 0; batch < updates / batchRows; batch += 1) {
    const response = await fetch(`${url}/rest/v1/accounts?city=eq.Vail%20${batch % batches}`, {
      method: 'PATCH',
      headers: { apikey: anonKey, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ zip_code: `${batch} 1` }),
    });
    if (!response.ok) throw new Error(await response.text());
  }
}

/** Returns the longest pause per reason since `from`, in milliseconds, from the log of the service. */
function longestPauses({ logFile }, from) {
  const pauses = {};
  for (const line of fs.readFileSync(logFile, 'utf8').slice(from).split('\n')) {
    if (!line.includes('"database paused"')) continue;
    const { reason, durationMs, table } = JSON.parse(line);
    const name = table ? `${reason} of ${table}` : reason;
    pauses[name] = Math.max(pauses[name] ?? 0, Math.round(durationMs));
  }
  return pauses;
}

/** Returns the sizes of database and log in MB, and the number of audit entries without a seal. */
async function sizes({ url }) {
  const headers = { Authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const read = (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
  return {
    database: Math.round(read('lanternrock_database_bytes') / 1e6),
    log: Math.round(read('lanternrock_database_wal_bytes') / 1e6),
    unsealed: read('lanternrock_audit_unsealed'),
  };
}

async function measureBackup(fixture) {
  const file = path.join(os.tmpdir(), `lanternrock-bench-${process.pid}.backup`);
  const load = startSteadyLoad(fixture);
  await pause(10_000);
  const before = load.results();
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [entry, 'backup', file], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: fixture.dataDir },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const during = load.results();
  await load.stop();
  fs.rmSync(file, { force: true });
  console.log(`Backup: ${seconds.toFixed(1)} s. ${stdout.trim()}`);
  return [
    { phase: 'before', ...before },
    { phase: 'backup', ...during },
  ];
}

async function measureUpdates(fixture) {
  const before = await sizes(fixture);
  const load = startSteadyLoad(fixture);
  await updateAccounts(fixture);
  const during = load.results();
  await load.stop();
  const busy = await sizes(fixture);
  // The service vacuums one table per second while it is idle.
  await pause(30_000);
  console.log('Sizes in MB, and entries without a seal:', {
    before,
    'after the updates': busy,
    'after 30 idle seconds': await sizes(fixture),
  });
  return [{ phase: `${updates} updates`, ...during }];
}

/** Sends requests on one connection at a time until the service refuses connections. */
async function sendUntilRefused({ url, anonKey, token }, counts) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { apikey: anonKey, Authorization: `Bearer ${token}` };
  const send = () =>
    new Promise((resolve) => {
      http
        .get(`${url}/rest/v1/accounts?select=id&limit=5`, { agent, headers })
        .on('error', (error) => resolve(error.code))
        .on('response', (response) => {
          response.resume().on('error', (error) => resolve(error.code));
          response.on('end', () => resolve(String(response.statusCode)));
        });
    });
  for (let result = ''; result !== 'ECONNREFUSED';) {
    result = await send();
    counts[result] = (counts[result] ?? 0) + 1;
  }
  agent.destroy();
}

async function measureStop(fixture) {
  const counts = {};
  const clients = Array.from({ length: keepAliveClients }, () => sendUntilRefused(fixture, counts));
  await pause(1000);
  const startedAt = performance.now();
  await fixture.stop();
  const durationMs = Math.round(performance.now() - startedAt);
  await Promise.all(clients);
  console.log(`Stop with ${keepAliveClients} clients: ${durationMs} ms, responses and errors:`, counts);
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

console.log(describeMachine());
const fixture = await openEmbeddedFixture({ environment: { METRICS_TOKEN: metricsToken } });
try {
  // `updateAccounts` selects the accounts of a batch by their city.
  await insertAccounts(fixture, {
    rows: accounts,
    batchRows,
    extra: (batch) => ({ city: `Vail ${batch}`, zip_code: `0 ${batch}` }),
  });
  await pause(10_000);
  const from = fs.statSync(fixture.logFile).size;
  console.table([...(await measureBackup(fixture)), ...(await measureUpdates(fixture))]);
  console.log('Longest pauses in ms:', longestPauses(fixture, from));
} finally {
  await measureStop(fixture);
}
console.log(describeMachine());
