/**
 * Measures the requests of the accounts screen for tables of several lengths on Postgres, as an administrator
 * with a token: `npm run build`, then `npm run bench -- table-growth 1000 100000`. REQUESTS sets the number of
 * repetitions.
 */
import { measureGrowth } from './server/table-growth.mjs';
import { describeMachine } from './server/fixture.mjs';

const sizeArguments = process.argv.slice(2).map(Number);
const sizes = sizeArguments.length > 0 ? sizeArguments : [1000, 10_000, 100_000];
const requests = Number(process.env.REQUESTS ?? 100);

console.log(describeMachine());
const rows = [];
for await (const { request, results } of measureGrowth({ sizes, requests })) {
  const last = results.at(-1);
  rows.push({
    request,
    ...Object.fromEntries(results.map(({ size, median }) => [size, median.toFixed(1)])),
    'p99 of last': last.p99.toFixed(1),
    times: (last.median / results[0].median).toFixed(2),
    requests: last.requests,
    'last reads': last.reads.replaceAll('accounts_', '').replaceAll('_idx', ''),
  });
}
console.table(rows);
console.log(describeMachine());
