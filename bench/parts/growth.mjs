/** What the accounts screen asks of a long list, beside the same of a short one. */
import { growthSettings, measureGrowth } from '../server/growth.mjs';
import { openStand } from '../server/stand.mjs';
import { row } from './row.mjs';

const goals = {
  'first window': '1.5 or less',
  'next window, half way down': '1.5 or less',
  'search, one hit, a word of its own': '1.5 or less',
  'count of all': 'grows with the list',
};

export async function measureLongLists({ quick, requests }) {
  const sizes = [1000, quick ? 100_000 : 1_000_000];
  const stand = await openStand({ environment: growthSettings });
  try {
    const medians = {};
    for await (const { answers } of measureGrowth(stand, { sizes, requests, wanted: Object.keys(goals) }))
      for (const { question, median } of answers) (medians[question] ??= []).push(median);
    const [short, long] = sizes.map((size) => size.toLocaleString('en'));
    return Object.entries(medians).map(([question, [before, after]]) =>
      row(`${question}, of ${long} accounts, ms`, after, `of ${short}`, before, goals[question]),
    );
  } finally {
    await stand.stop();
  }
}
