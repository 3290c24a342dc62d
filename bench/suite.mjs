/**
 * Runs all benchmarks and prints one table: `npm run build`, then `npm run bench`. Needs an otherwise idle
 * machine and about half an hour; `--quick` (lists of 100,000 instead of a million accounts) takes about ten
 * minutes. Names of parts run only these: `npm run bench -- suite data replicas`. SECONDS and RUNS set duration and
 * number of the runs.
 */
import { parseArgs } from 'node:util';
import { measureReplicas } from './suite/replicas.mjs';
import { measureDataApi } from './suite/data-api.mjs';
import { measureLongLists } from './suite/table-growth.mjs';
import { measurePageWeight } from './suite/page-weight.mjs';
import { toMarkdown } from './suite/report.mjs';
import { measureSignIns } from './suite/sign-ins.mjs';
import { measureStarts } from './suite/start-and-memory.mjs';
import { describeMachine } from './server/fixture.mjs';

const parts = {
  data: measureDataApi,
  'sign-ins': measureSignIns,
  page: measurePageWeight,
  starts: measureStarts,
  growth: measureLongLists,
  replicas: measureReplicas,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = positionals.find((name) => !(name in parts));
if (unknown !== undefined)
  throw new Error(`Unknown part ${unknown}. The parts are: ${Object.keys(parts).join(', ')}`);
const selected = positionals.length > 0 ? positionals : Object.keys(parts);
const seconds = Number(process.env.SECONDS ?? (values.quick ? 4 : 8));
const runs = Number(process.env.RUNS ?? 3);
const requests = Number(process.env.REQUESTS ?? 50);

const before = describeMachine();
const rows = [];
for (const name of selected) {
  console.error(`${new Date().toISOString().slice(11, 19)} ${name}`);
  rows.push(...(await parts[name]({ seconds, runs, requests, quick: values.quick })));
}
console.log(
  `${before}\n\nMedians of ${runs} runs of ${seconds} s.\n\n${toMarkdown(rows)}\n\nAfter: ${describeMachine()}`,
);
