/**
 * Measures the requests of the accounts screen for tables of several lengths on Postgres, as an administrator
 * with a token: `npm run build`, then `npm run bench:growth -- 1000 100000`. REQUESTS sets the number of
 * repetitions.
 */
import { measureGrowth } from './server/table-growth.mjs';
import { describeMachine } from './server/fixture.mjs';

const asked = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [1000, 10_000, 100_000];
const requests = Number(process.env.REQUESTS ?? 100);

console.log(describeMachine());
const rows = [];
for await (const { question, answers } of measureGrowth({ sizes, requests })) {
  const last = answers.at(-1);
  rows.push({
    question,
    ...Object.fromEntries(answers.map(({ size, median }) => [size, median.toFixed(1)])),
    'p99 of last': last.p99.toFixed(1),
    times: (last.median / answers[0].median).toFixed(2),
    asked: last.asked,
    'last reads': last.reads.replaceAll('accounts_', '').replaceAll('_idx', ''),
  });
}
console.table(rows);
console.log(describeMachine());
