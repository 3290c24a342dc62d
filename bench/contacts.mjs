/**
 * Measures the search of the account list with contacts beside the search without them, in turns, on Postgres:
 * `npm run build`, then `npm run bench -- contacts 100000`. Every second account has two contacts. REQUESTS sets the number
 * of repetitions.
 */
import { gzipSync } from 'node:zlib';
import { describeMachine, median, openFixture } from './server/fixture.mjs';
import { fillLargeInstance } from './server/large-instance.mjs';

const rows = Number(process.argv[2] ?? 100_000);
const repetitions = Number(process.env.REQUESTS ?? 15);

console.log(describeMachine());
const fixture = await openFixture({
  databaseUrl: process.env.DATABASE_URL,
  environment: { STATEMENT_TIMEOUT: '60000' },
});
const headers = { Authorization: `Bearer ${fixture.token}`, apikey: fixture.anonKey };

const columns =
  'id,name,slug,account_type,address,city,state,zip_code,status,active_members,created_by,created_at,updated_at,updated_by';

/** Sends the request of the first page of a search, with its count. */
async function search(conditions, select) {
  const or = conditions.map(([column, text]) => `${column}.match.%22${encodeURIComponent(text)}%22`).join();
  const response = await fetch(
    `${fixture.url}/rest/v1/accounts?select=${select}&or=(${or})&order=created_at.desc,id.desc&limit=200`,
    { headers: { ...headers, Prefer: 'count=exact' } },
  );
  const body = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(body.toString());
  return { total: Number(response.headers.get('content-range').split('/')[1]), body };
}

const withoutContacts = (text) => search([['search_text', text]], columns);
const withContacts = (text, digits) =>
  search([['search_text', text], ['contact_text', text], ...(digits ? [['contact_text', digits]] : [])], '*');

const addContacts = `
  insert into public.account_contacts (account_id, position, name, role, phone, email)
  select a.id, p, initcap(left(a.name, 6)) || ' Contact ' || p, 'Duty officer',
      '+4144' || lpad((abs(hashtext(a.id::text || p)) % 10000000)::text, 7, '0'), left(a.slug, 6) || p || '@example.org'
    from (select id, name, slug, row_number() over (order by created_at, id) as n from public.accounts) a, generate_series(1, 2) p
    where a.n % 2 = 0`;

try {
  await fillLargeInstance(fixture, rows);
  const [{ filled }] = await fixture.query('select exists (select from public.account_contacts) as filled');
  if (!filled) {
    const start = performance.now();
    await fixture.query(addContacts);
    console.log(`contacts added in ${Math.round(performance.now() - start)} ms`);
    await fixture.query('vacuum analyze public.accounts');
  }
  console.table(
    await fixture.query(`select pg_size_pretty(pg_table_size('public.accounts')) as accounts,
      pg_size_pretty(pg_relation_size('public.accounts_folded_search_idx')) as search_index,
      pg_size_pretty(pg_relation_size('public.accounts_contact_search_idx')) as contact_index`),
  );
  const [sample] = await fixture.query(
    `select a.name, c.phone, c.email from public.accounts a join public.account_contacts c on c.account_id = a.id
       order by a.created_at offset (select count(*) / 2 from public.accounts) limit 1`,
  );
  const national = `0${sample.phone.slice(3)}`;
  const requests = {
    'common word': ['rescue'],
    'rare word': [sample.name.split(' ')[0].toLowerCase()],
    'every account': ['e'],
    'no match': ['qqqq'],
    'email address': [sample.email],
    'phone number': [national, national.slice(1)],
    'part of a phone number': [national.slice(0, 6), national.slice(1, 6)],
  };
  const results = [];
  for (const [request, [text, digits]] of Object.entries(requests)) {
    const times = { before: [], after: [] };
    const found = {};
    // The planner considers values in the first five executions. The later ones are measured.
    for (let n = -6; n < repetitions; n += 1)
      for (const [side, run] of [
        ['before', () => withoutContacts(text)],
        ['after', () => withContacts(text, digits)],
      ]) {
        const start = performance.now();
        found[side] = await run();
        if (n >= 0) times[side].push(performance.now() - start);
      }
    results.push({
      request,
      'without contacts ms': median(times.before).toFixed(1),
      'with contacts ms': median(times.after).toFixed(1),
      ratio: (median(times.after) / median(times.before)).toFixed(2),
      'found without': found.before.total,
      'found with': found.after.total,
      'page without kB (gzip)': `${(found.before.body.length / 1000).toFixed(1)} (${(gzipSync(found.before.body).length / 1000).toFixed(1)})`,
      'page with kB (gzip)': `${(found.after.body.length / 1000).toFixed(1)} (${(gzipSync(found.after.body).length / 1000).toFixed(1)})`,
    });
  }
  console.table(results);
} finally {
  await fixture.stop();
}
console.log(describeMachine());
