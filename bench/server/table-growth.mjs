/** Measures the requests of the accounts screen for lists of several lengths, one request at a time. */
import { fillAccounts, median, openFixture } from './fixture.mjs';

const order = 'order=created_at.desc,id.desc';
/** As the console requests it: all words in the names, or all in the contacts. The texts are folded. */
const search = (text) => {
  const conditions = (column) => text.split(' ').map((word) => `${column}.match.%22${word}%22`);
  const [names, contacts] = ['search_text', 'contact_text'].map(conditions);
  return names.length === 1
    ? `or=(${names},${contacts})`
    : `or=(and(${names.join()}),and(${contacts.join()}))`;
};
/** As the palette requests it, and the list on request: each word in any column. */
const searchWide = (text) =>
  text
    .split(' ')
    .map((word) =>
      ['search_text', 'place_text', 'contact_text'].map((column) => `${column}.match.%22${word}%22`),
    )
    .map((conditions) => `or=(${conditions.join()})`)
    .join('&');

/** The columns that the list can be sorted by; those with few values are read by the value (`accounts-list.ts`). */
const sorts = {
  name: { column: 'name_key', select: 'select=*,name_key&' },
  type: { column: 'account_type', few: true },
  status: { column: 'status', few: true },
  updated: { column: 'updated_at' },
};

const sortOrder = ({ column, select = '' }) => `${select}order=${column}.asc,id.asc`;

/** Requests by the name of the sort; `middles` contains the row in the middle of each order. */
const buildSortRequests = (middles) =>
  Object.fromEntries(
    Object.entries(sorts).flatMap(([name, sort]) => {
      const { column, few } = sort;
      const { id, [column]: value } = middles[name];
      const at = encodeURIComponent(value);
      const or = encodeURIComponent(`(${column}.gt."${value}",and(${column}.eq."${value}",id.gt.${id}))`);
      const after = few ? `${column}=eq.${at}&id=gt.${id}` : `${column}=gte.${at}&or=${or}`;
      return [
        [`sorted by ${name}, first page`, `${sortOrder(sort)}&limit=200`],
        [`sorted by ${name}, next page in the middle`, `${after}&${sortOrder(sort)}&limit=200`],
      ];
    }),
  );

/** The requests; `middle` is a row in the middle. */
const buildRequests = (size, middle) => {
  const at = `"${middle.created_at}"`;
  const after = encodeURIComponent(`(created_at.lt.${at},and(created_at.eq.${at},id.lt.${middle.id}))`);
  return {
    'first page': `${order}&limit=200`,
    'next page in the middle': `created_at=lte.${encodeURIComponent(middle.created_at)}&or=${after}&${order}&limit=200`,
    'jump to the middle': `${order}&limit=200&offset=${size / 2}`,
    'search, one match, unique word': `${search(middle.name.split(' ')[2])}&${order}&limit=200`,
    'search, one match, with a common word': `${search(`${size / 2} patrol`)}&${order}&limit=200`,
    'search, every tenth matches': `or=(search_text.match.%227%20%22)&${order}&limit=200`,
    'search, all match': `${search('patrol')}&${order}&limit=200`,
    'search, no match': `${search('harbor')}&${order}&limit=200`,
    'search, 2 letters, matches': `${search('a1')}&${order}&limit=200`,
    'search, 2 letters, no match': `${search('xq')}&${order}&limit=200`,
    'search, 1 letter, matches': `${search('f')}&${order}&limit=200`,
    'search, 1 letter, no match': `${search('q')}&${order}&limit=200`,
    'search, two words, all match': `${search('patrol pat')}&${order}&limit=200`,
    'search with places, one match': `${searchWide(middle.name.split(' ')[2])}&${order}&limit=200`,
    'search with places, with a common word': `${searchWide(`${size / 2} patrol`)}&${order}&limit=200`,
    'search with places, no match': `${searchWide('harbor')}&${order}&limit=200`,
    'names that start with a text': `name_key=gte.patrol%205&name_key=lt.patrol%205%F4%8F%BF%BF&order=name_key.asc,id.asc&limit=8`,
    'count of all': 'select=id&limit=1',
    'count of a type': 'select=id&account_type=eq.enterprise&limit=1',
    'count of a search, one match': `select=id&${search(`${size / 2} patrol`)}&${order}&limit=1`,
    'count of a search, all match': `select=id&${search('patrol')}&${order}&limit=1`,
    'count of a search, two words, all match': `select=id&${search('patrol pat')}&${order}&limit=1`,
  };
};

const authHeaders = ({ token, anonKey }) => ({ Authorization: `Bearer ${token}`, apikey: anonKey });

async function requestRows(fixture, query, name) {
  const counts = name.startsWith('count') ? { Prefer: 'count=exact' } : {};
  const response = await fetch(`${fixture.url}/rest/v1/accounts?${query}`, {
    headers: { ...authHeaders(fixture), ...counts },
  });
  const rows = await response.json();
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(rows)}`);
  return rows;
}

/** Returns the indexes in the query plan of a request, from the service itself. */
async function readIndexes(fixture, query, name) {
  const response = await fetch(`${fixture.url}/rest/v1/accounts?${query}`, {
    headers: {
      ...authHeaders(fixture),
      Accept: 'application/vnd.pgrst.plan+text; options=analyze',
      ...(name.startsWith('count') ? { Prefer: 'count=exact' } : {}),
    },
  });
  const lines = (await response.text()).split('\n').filter((line) => !line.includes('never executed'));
  const used = new Set();
  for (const line of lines) {
    const index = /Index(?: Only)? Scan .*?(?:using|on) (\w+_(?:idx|pkey))/.exec(line);
    if (index) used.add(index[1]);
    else if (/Sample Scan on accounts/.test(line)) used.add('sample');
    else if (/Seq Scan on accounts/.test(line)) used.add('whole table');
  }
  return [...used].join(', ');
}

/** Settings of the fixtures: a timeout for the requests that read the whole table, and query plans. */
const settings = { PLAN: 'on', STATEMENT_TIMEOUT: '60000' };

/** Opens a fixture with the given number of accounts and warms it up: a new process is slower at first. */
async function openList(size) {
  const fixture = await openFixture({ environment: settings });
  await fillAccounts(fixture, size);
  const at = `select=id,name,created_at&${order}&limit=1&offset=${size / 2}`;
  const [middle] = await requestRows(fixture, at, 'middle');
  const middles = {};
  for (const [name, sort] of Object.entries(sorts))
    [middles[name]] = await requestRows(fixture, `${sortOrder(sort)}&limit=1&offset=${size / 2}`, name);
  const all = { ...buildRequests(size, middle), ...buildSortRequests(middles) };
  for (let warm = 0; warm < 20; warm += 1)
    for (const [name, query] of Object.entries(all).slice(0, 8)) await requestRows(fixture, query, name);
  return { fixture, size, all, stop: () => fixture.stop() };
}

/** Requests all lists in turns, so that other work on the machine affects all of them. */
async function measureTimes(lists, name, requests) {
  const times = lists.map(() => []);
  const end = performance.now() + 30_000;
  for (let n = 0; n < requests && (n < 3 || performance.now() < end); n += 1)
    for (const [index, { fixture, all }] of lists.entries()) {
      const start = performance.now();
      await requestRows(fixture, all[name], name);
      times[index].push(performance.now() - start);
    }
  return times.map((list) => list.toSorted((a, b) => a - b));
}

/**
 * @param sizes ascending numbers of accounts; each has its own database and service
 * @param names names of requests (default: all)
 * @yields one result per request and size: median and p99 in ms, number of requests, indexes
 */
export async function* measureGrowth({ sizes, requests, names }) {
  const lists = [];
  try {
    for (const size of sizes) lists.push(await openList(size));
    for (const name of names ?? Object.keys(lists[0].all)) {
      // The planner considers values in the first five executions. The later ones are measured.
      for (const { fixture, all } of lists)
        for (let warm = 0; warm < 6; warm += 1) await requestRows(fixture, all[name], name);
      const times = await measureTimes(lists, name, requests);
      const results = [];
      for (const [index, { fixture, size, all }] of lists.entries())
        results.push({
          size,
          median: median(times[index]),
          p99: times[index][Math.min(times[index].length - 1, Math.floor(times[index].length * 0.99))],
          requests: times[index].length,
          reads: await readIndexes(fixture, all[name], name),
        });
      yield { request: name, results };
    }
  } finally {
    for (const { stop } of lists) await stop();
  }
}
