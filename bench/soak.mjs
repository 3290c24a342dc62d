/**
 * Soak test: a mixed load at half of the capacity, and every minute the memory, open file descriptors and
 * slowest responses. Run `npm run build`, then `MINUTES=30 npm run bench -- soak`. Writes
 * docs/images/long-run.svg (`PLOT` sets another file).
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { lineCharts } from './server/line-chart.mjs';
import { createResponseTimes } from './server/response-times.mjs';
import { residentMemory } from './server/instance.mjs';
import { fillAccounts, describeMachine, openFixture } from './server/fixture.mjs';

const minutes = Number(process.env.MINUTES ?? 30);
const plot = process.env.PLOT ?? new URL('../docs/images/long-run.svg', import.meta.url);
/** Interval between two batches of requests, in milliseconds. */
const batchIntervalMs = 20;

const fixture = await openFixture({ environment: { MAILS_PER_HOUR: '1000000', LOG_LEVEL: 'warn' } });
const list = '/rest/v1/accounts?select=*&order=created_at.desc&limit=10';
const headers = { Authorization: `Bearer ${fixture.token}`, apikey: fixture.anonKey };
let session = await (await fixture.post('/auth/v1/token?grant_type=password', fixture)).json();
const json = { ...headers, 'Content-Type': 'application/json' };

/** Actions and their frequency in a hundred requests. */
const actions = [
  [70, () => get(list)],
  [12, () => get('/rest/v1/accounts?select=id,name&name=ilike.*Patrol%2017*&limit=20')],
  [6, () => get('/auth/v1/user')],
  [
    6,
    () =>
      send(
        '/rest/v1/accounts',
        { ...json, 'Idempotency-Key': randomUUID() },
        {
          name: 'Long run',
          slug: 'long-run',
          account_type: 'organization',
          created_by: fixture.userId,
        },
      ),
  ],
  [3, () => get('/auth')],
  [2, refresh],
  [1, () => send('/auth/v1/recover', json, { email: fixture.email })],
];
const weightedActions = actions.flatMap(([count, action]) => Array.from({ length: count }, () => action));

const get = (path) => fetch(fixture.url + path, { headers });
const send = (path, withHeaders, body) =>
  fetch(fixture.url + path, { method: 'POST', headers: withHeaders, body: JSON.stringify(body) });

async function refresh() {
  const response = await send('/auth/v1/token?grant_type=refresh_token', json, {
    refresh_token: session.refresh_token,
  });
  if (response.ok) session = await response.clone().json();
  return response;
}

const times = createResponseTimes();
const sendOne = () => times.send(weightedActions[Math.floor(Math.random() * weightedActions.length)]);

/** Returns the requests per second of ten sequential clients, measured for the given number of seconds. */
async function capacity(seconds) {
  const end = performance.now() + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) await sendOne();
  };
  await Promise.all(Array.from({ length: 10 }, client));
  return times.take().count / seconds;
}

const countDescriptors = () => fs.readdirSync(`/proc/${fixture.pid}/fd`).length;

function minuteRow(minute) {
  const { count, failures, quantile } = times.take();
  return {
    minute,
    'requests/s': Math.round(count / 60),
    'p50 ms': quantile(0.5),
    'p99 ms': quantile(0.99),
    failures,
    'memory MiB': residentMemory(fixture.pid),
    handles: countDescriptors(),
  };
}

try {
  await fillAccounts(fixture, 1000);
  console.log(describeMachine());
  await capacity(5);
  const rate = await capacity(15);
  const target = Math.max(1, Number(process.env.RATE ?? rate / 2));
  console.log(
    `Ten sequential clients: ${Math.round(rate)}/s. Half of it: ${Math.round(target)}/s for ${minutes} minutes.`,
  );
  const rows = [];
  const startedAt = performance.now();
  let sent = 0;
  // By the clock, not by timer ticks: a busy machine skips some.
  const batches = setInterval(() => {
    const due = (target * (performance.now() - startedAt)) / 1000;
    for (; sent < due; sent += 1) void sendOne();
  }, batchIntervalMs);
  for (let minute = 1; minute <= minutes; minute += 1) {
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    rows.push(minuteRow(minute));
    console.log(JSON.stringify(rows.at(-1)));
  }
  clearInterval(batches);
  console.table(rows);
  console.log(describeMachine());
  const series = (title, field) => ({ title, values: rows.map((row) => row[field]) });
  fs.writeFileSync(
    plot,
    lineCharts(
      [
        series('Resident memory, MiB', 'memory MiB'),
        series('Open handles', 'handles'),
        series('99th percentile, ms', 'p99 ms'),
        series('Requests per second', 'requests/s'),
      ],
      'minutes',
    ),
  );
  console.log(`Plot: ${plot}`);
} finally {
  await fixture.stop();
}
