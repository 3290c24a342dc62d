/** Requests of the accounts screen for a long list, compared with a short one. */
import { measureGrowth } from '../server/table-growth.mjs';
import { reportRow } from './report.mjs';

const goals = {
  'first page': '1.5 or less',
  'next page in the middle': '1.5 or less',
  'search, one match, unique word': '1.5 or less',
  'search, one match, with a common word': '1.5 or less',
  'count of all': 'grows with the list',
};

export async function measureLongLists({ quick, requests }) {
  const sizes = [1000, quick ? 100_000 : 1_000_000];
  const [short, long] = sizes.map((size) => size.toLocaleString('en'));
  const rows = [];
  for await (const { request, results } of measureGrowth({
    sizes,
    requests,
    names: Object.keys(goals),
  })) {
    const [before, after] = results.map(({ median }) => median);
    rows.push(reportRow(`${request}, of ${long} accounts, ms`, after, `of ${short}`, before, goals[request]));
  }
  return rows;
}
