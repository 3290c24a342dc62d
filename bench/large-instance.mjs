/**
 * Measures what administrators wait for in a large instance on Postgres: `npm run build`, then
 * `npm run bench -- large-instance 1000000`. REQUESTS sets the number of repetitions. DATABASE_URL keeps the data: an empty database
 * of its own is filled in the first run, and used again in later ones.
 */
import { describeMachine, median, openFixture } from './server/fixture.mjs';
import { fillLargeInstance } from './server/large-instance.mjs';

const rows = Number(process.argv[2] ?? 100_000);
const repetitions = Number(process.env.REQUESTS ?? 15);
const dayMs = 86_400_000;

console.log(describeMachine());
const fixture = await openFixture({
  databaseUrl: process.env.DATABASE_URL,
  environment: { STATEMENT_TIMEOUT: '60000' },
});
const headers = {
  Authorization: `Bearer ${fixture.token}`,
  apikey: fixture.anonKey,
  'Content-Type': 'application/json',
};

async function request(path, options) {
  const response = await fetch(fixture.url + path, {
    ...options,
    headers: { ...headers, ...options?.headers },
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

const call = (name, body, options) =>
  request(`/functions/v1/${name}`, { method: 'POST', body: JSON.stringify(body), ...options });
const read = async (name, body) => (await call(name, body)).json();

const search = (text) =>
  `/rest/v1/accounts?or=(search_text.match.%22${encodeURIComponent(text)}%22)&order=created_at.desc,id.desc&limit=200`;
const countSearch = async (text) => {
  const response = await request(search(text), { headers: { Prefer: 'count=exact' } });
  await response.arrayBuffer();
  return response.headers.get('content-range');
};

/** Returns when the first part of the file arrives, and leaves. */
async function firstByte(filter) {
  const controller = new AbortController();
  const response = await call(
    'export-accounts',
    { sort: 'created', ...filter },
    { signal: controller.signal },
  );
  for await (const _chunk of response.body) break;
  controller.abort();
}

/** Leaves a second export after 50 ms, and returns the time until no statement of it runs, in ms. */
async function timeToStop(filter) {
  const controller = new AbortController();
  const started = call(
    'export-accounts',
    { sort: 'created', ...filter },
    { signal: controller.signal },
  ).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  controller.abort();
  const left = performance.now();
  await started;
  const running = `select from pg_stat_activity where state = 'active' and query like '%search_text(a)%' and pid <> pg_backend_pid()`;
  while ((await fixture.query(running)).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return performance.now() - left;
}

const ago = (days) => new Date(Date.now() - days * dayMs).toISOString();

async function describeRequests() {
  const [entry] = await fixture.query(`select (max(id) / 2)::text as id from private.audit_log`);
  const [middle] = await fixture.query(
    'select name from public.accounts order by created_at offset (select count(*) / 2 from public.accounts) limit 1',
  );
  const rare = middle.name.split(' ')[0].toLowerCase();
  const activity = (filter) => () => read('list-activity', filter);
  const kinds = ['accounts', 'members', 'administrators', 'invitations', 'settings', 'exports', 'operations'];
  return {
    ...Object.fromEntries(kinds.map((kind) => [`activity of ${kind}`, activity({ kind })])),
    'activity of settings, by a person': activity({ kind: 'settings', person: fixture.userId }),
    'activity of accounts, of another person': activity({ kind: 'accounts', person: 'command line' }),
    'activity of settings, from 400 days ago': activity({ kind: 'settings', from: ago(400), to: ago(1) }),
    'activity of accounts, later page': activity({ kind: 'accounts', before: entry.id }),
    'similar accounts, usual name': () => read('similar-accounts', { name: middle.name }),
    'similar accounts, typing error': () =>
      read('similar-accounts', { name: middle.name.replace(/(.)(.)/, '$2$1') }),
    'similar accounts, common words only': () => read('similar-accounts', { name: 'Mountain Rescue Team' }),
    'similar accounts, long new name': () =>
      read('similar-accounts', { name: `${'Zwxq '.repeat(35)} Rescue` }),
    'count of a search, common word': () => countSearch('rescue'),
    'count of a search, common letters': () => countSearch('er'),
    'count of a search, every account': () => countSearch('e'),
    'count of a search, rare word': () => countSearch(rare),
    'count of a search, no match': () => countSearch('qqqq'),
    'handover of 30 days': () => read('handover', { since: ago(30) }),
    'handover of 400 days': () => read('handover', { since: ago(400) }),
    'export, first byte': () => firstByte({}),
    'export of a common word, first byte': () => firstByte({ search: 'rescue' }),
    'export of a rare word, first byte': () => firstByte({ search: rare }),
    'export of no match, first byte': () => firstByte({ search: 'qqqq' }),
    'export by name of a rare word, first byte': () => firstByte({ sort: 'name', search: rare }),
  };
}

try {
  await fillLargeInstance(fixture, rows);
  const results = [];
  for (const [name, run] of Object.entries(await describeRequests())) {
    // The planner considers values in the first five executions. The later ones are measured.
    const times = [];
    const end = performance.now() + 60_000;
    for (let n = -6; n < repetitions && (n < 1 || performance.now() < end); n += 1) {
      const start = performance.now();
      await run();
      if (n >= 0) times.push(performance.now() - start);
    }
    results.push({
      request: name,
      'median ms': median(times).toFixed(1),
      'longest ms': Math.max(...times).toFixed(1),
    });
  }
  for (const [name, filter] of Object.entries({
    'common word': { search: 'rescue' },
    'no match': { search: 'qqqq' },
  })) {
    const times = [];
    for (let n = 0; n < 5; n += 1) times.push(await timeToStop(filter));
    results.push({
      request: `export of ${name}, end of its statement after the client left`,
      'median ms': median(times).toFixed(1),
      'longest ms': Math.max(...times).toFixed(1),
    });
  }
  console.table(results);
} finally {
  await fixture.stop();
}
console.log(describeMachine());
