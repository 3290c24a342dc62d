/** Requests of the accounts screen for a long list, compared with a short one. */
import { measureGrowth } from '../server/table-growth.mjs';
import { reportRow } from './report.mjs';

const goals = {
  'first window': '1.5 or less',
  'next window, half way down': '1.5 or less',
  'search, one hit, a word of its own': '1.5 or less',
  'search, one hit, with a word of all': '1.5 or less',
  'count of all': 'grows with the list',
};

export async function measureLongLists({ quick, requests }) {
  const sizes = [1000, quick ? 100_000 : 1_000_000];
  const [short, long] = sizes.map((size) => size.toLocaleString('en'));
  const rows = [];
  for await (const { question, answers } of measureGrowth({ sizes, requests, wanted: Object.keys(goals) })) {
    const [before, after] = answers.map(({ median }) => median);
    rows.push(
      reportRow(`${question}, of ${long} accounts, ms`, after, `of ${short}`, before, goals[question]),
    );
  }
  return rows;
}
