/**
 * Compares one page of accounts for an administrator with a token: this server, PostgREST 12.0.2 on the same
 * database, and the bare driver (bench/server/bare-driver.mjs). Run `npm run build`, then `npm run bench -- rest`. Prints medians of the runs and ratios. SECONDS and RUNS set duration and number of the runs.
 */
import { compare } from './server/compare.mjs';
import { startBareDriver, startPostgrest } from './server/baselines.mjs';
import { fillAccounts, describeMachine, openFixture } from './server/fixture.mjs';

const seconds = Number(process.env.SECONDS ?? 8);
const runs = Number(process.env.RUNS ?? 3);
const query = 'accounts?select=*&order=created_at.desc&limit=10';
const fixture = await openFixture();
const baselines = [];

try {
  await fillAccounts(fixture, 1000);
  const headers = { Authorization: `Bearer ${fixture.token}`, apikey: fixture.anonKey };
  const instance = { url: `${fixture.url}/rest/v1/${query}`, method: 'GET', headers, pid: fixture.pid };
  baselines.push(await startBareDriver(fixture, instance), await startPostgrest(fixture, { query, headers }));
  const servers = { 'bare driver': baselines[0], Lanternrock: instance, PostgREST: baselines[1] };
  console.log(describeMachine());
  const table = [];
  for (const connections of [1, 10, 50]) {
    const measured = await compare(servers, { connections, seconds, runs });
    for (const [server, { rate, p99, processor, failures }] of Object.entries(measured)) {
      table.push({
        connections,
        server,
        'requests/s': Math.round(rate),
        'p99 ms': p99,
        'processor µs/request': Math.round(processor),
        'of the bare driver': (rate / measured['bare driver'].rate).toFixed(2),
        'times PostgREST': (rate / measured.PostgREST.rate).toFixed(2),
        failures,
      });
    }
  }
  console.table(table);
  console.log(describeMachine());
} finally {
  await Promise.all(baselines.map((baseline) => baseline.stop()));
  await fixture.stop();
}
