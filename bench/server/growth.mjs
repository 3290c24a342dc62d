/** What the accounts screen asks, over tables of growing length, one request at a time. */
import { fillAccounts, median } from './stand.mjs';

const order = 'order=created_at.desc,id.desc';
/** As the console asks: a text that no slug can hold is looked for in names only. */
const search = (text) => {
  const columns = /^[a-z0-9-]+$/.test(text) ? ['name', 'slug'] : ['name'];
  return `or=(${columns.map((column) => `${column}.imatch.%22${text}%22`).join()})`;
};

/** The questions; `middle` is a row half way down. */
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

async function timesOf(stand, query, name, requests) {
  const times = [];
  const end = performance.now() + 15_000;
  while (times.length < requests && (times.length < 3 || performance.now() < end)) {
    const start = performance.now();
    await ask(stand, query, name);
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b);
}

/** Indexes that the statement of a question reads, as the service itself explains it. */
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
    else if (/Seq Scan on accounts/.test(line)) used.add('whole table');
  }
  return [...used].join(', ');
}

/**
 * @param sizes numbers of accounts, growing
 * @param wanted names of questions; without it all are asked
 * @yields for each size its answers: question, median and p99 in ms, how often it was asked, what it reads
 */
export async function* measureGrowth(stand, { sizes, requests, wanted }) {
  for (const size of sizes) {
    await fillAccounts(stand, size);
    const at = `select=id,name,created_at&${order}&limit=1&offset=${size / 2}`;
    const [middle] = await ask(stand, at, 'middle');
    const all = Object.entries(questions(size, middle));
    // A service that has just started is slower than the same one a second later.
    for (let warm = 0; warm < 20; warm += 1)
      for (const [name, query] of all.slice(0, 8)) await ask(stand, query, name);
    const answers = [];
    for (const [name, query] of all) {
      if (wanted && !wanted.includes(name)) continue;
      // The planner looks at values for the first five times; what is measured is what comes after.
      for (let warm = 0; warm < 6; warm += 1) await ask(stand, query, name);
      const times = await timesOf(stand, query, name, requests);
      answers.push({
        question: name,
        median: median(times),
        p99: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))],
        asked: times.length,
        reads: await indexesOf(stand, query, name),
      });
    }
    yield { size, answers };
  }
}

/** Settings of a stand for it: time for the questions that read the whole table, and plans. */
export const growthSettings = { PLAN: 'on', STATEMENT_TIMEOUT: '60000' };
