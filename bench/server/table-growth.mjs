/** Measures the requests of the accounts screen for lists of several lengths, one request at a time. */
import { fillAccounts, median, openFixture } from './fixture.mjs';

const order = 'order=created_at.desc,id.desc';
/** As the console requests it: a text that no slug can contain is searched in names only. */
const search = (text) => {
  const columns = /^[a-z0-9-]+$/.test(text) ? ['name', 'slug'] : ['name'];
  return `or=(${columns.map((column) => `${column}.imatch.%22${text}%22`).join()})`;
};

/** The requests; `middle` is a row in the middle. */
const questions = (size, middle) => {
  const at = `"${middle.created_at}"`;
  const behind = encodeURIComponent(`(created_at.lt.${at},and(created_at.eq.${at},id.lt.${middle.id}))`);
  return {
    'first window': `${order}&limit=200`,
    'next window, half way down': `created_at=lte.${encodeURIComponent(middle.created_at)}&or=${behind}&${order}&limit=200`,
    'jump half way down': `${order}&limit=200&offset=${size / 2}`,
    'search, one hit, a word of its own': `${search(middle.name.split(' ')[2])}&${order}&limit=200`,
    'search, one hit, with a word of all': `${search(`patrol ${size / 2} `)}&${order}&limit=200`,
    'search, every tenth': `${search('7 ')}&${order}&limit=200`,
    'search, all': `${search('patrol')}&${order}&limit=200`,
    'search, no hit': `${search('harbor')}&${order}&limit=200`,
    'search, 2 letters, hits': `${search('a1')}&${order}&limit=200`,
    'search, 2 letters, no hit': `${search('xq')}&${order}&limit=200`,
    'search, 1 letter, hits': `${search('f')}&${order}&limit=200`,
    'search, 1 letter, no hit': `${search('q')}&${order}&limit=200`,
    'count of all': 'select=id&limit=1',
    'count of a type': 'select=id&account_type=eq.enterprise&limit=1',
    'count of a search, one hit': `select=id&${search(`patrol ${size / 2} `)}&${order}&limit=1`,
    'count of a search, all': `select=id&${search('patrol')}&${order}&limit=1`,
  };
};

const headersOf = ({ token, anonKey }) => ({ Authorization: `Bearer ${token}`, apikey: anonKey });

async function ask(stand, query, name) {
  const counts = name.startsWith('count') ? { Prefer: 'count=exact' } : {};
  const response = await fetch(`${stand.url}/rest/v1/accounts?${query}`, {
    headers: { ...headersOf(stand), ...counts },
  });
  const rows = await response.json();
  if (!response.ok) throw new Error(`${name}: ${response.status} ${JSON.stringify(rows)}`);
  return rows;
}

/** Returns the indexes in the query plan of a request, from the service itself. */
async function indexesOf(stand, query, name) {
  const response = await fetch(`${stand.url}/rest/v1/accounts?${query}`, {
    headers: {
      ...headersOf(stand),
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
  const stand = await openFixture({ environment: settings });
  await fillAccounts(stand, size);
  const at = `select=id,name,created_at&${order}&limit=1&offset=${size / 2}`;
  const [middle] = await ask(stand, at, 'middle');
  const all = questions(size, middle);
  for (let warm = 0; warm < 20; warm += 1)
    for (const [name, query] of Object.entries(all).slice(0, 8)) await ask(stand, query, name);
  return { stand, size, all, stop: () => stand.stop() };
}

/** Requests all lists in turns, so that other work on the machine affects all of them. */
async function timesOf(lists, name, requests) {
  const times = lists.map(() => []);
  const end = performance.now() + 30_000;
  for (let n = 0; n < requests && (n < 3 || performance.now() < end); n += 1)
    for (const [index, { stand, all }] of lists.entries()) {
      const start = performance.now();
      await ask(stand, all[name], name);
      times[index].push(performance.now() - start);
    }
  return times.map((list) => list.toSorted((a, b) => a - b));
}

/**
 * @param sizes ascending numbers of accounts; each has its own database and service
 * @param wanted names of requests (default: all)
 * @yields one result per request and size: median and p99 in ms, number of requests, indexes
 */
export async function* measureGrowth({ sizes, requests, wanted }) {
  const lists = [];
  try {
    for (const size of sizes) lists.push(await openList(size));
    for (const name of wanted ?? Object.keys(lists[0].all)) {
      // The planner considers values in the first five executions. The later ones are measured.
      for (const { stand, all } of lists)
        for (let warm = 0; warm < 6; warm += 1) await ask(stand, all[name], name);
      const times = await timesOf(lists, name, requests);
      const answers = [];
      for (const [index, { stand, size, all }] of lists.entries())
        answers.push({
          size,
          median: median(times[index]),
          p99: times[index][Math.min(times[index].length - 1, Math.floor(times[index].length * 0.99))],
          asked: times[index].length,
          reads: await indexesOf(stand, all[name], name),
        });
      yield { question: name, answers };
    }
  } finally {
    for (const { stop } of lists) await stop();
  }
}
