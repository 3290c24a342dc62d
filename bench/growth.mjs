/**
 * What the accounts screen asks, over tables of growing length on Postgres, through the running service
 * as an administrator with a token: `npm run bench:growth -- 1000 100000`.
 * `npm run build` first. REQUESTS is how often each question is asked.
 */
import { growthSettings, measureGrowth } from './server/growth.mjs';
import { machine, openStand } from './server/stand.mjs';

const asked = process.argv.slice(2).map(Number);
const sizes = asked.length > 0 ? asked : [1000, 10_000, 100_000];
const requests = Number(process.env.REQUESTS ?? 100);
const stand = await openStand({ environment: growthSettings });

try {
  console.log(machine());
  const base = {};
  for await (const { size, answers } of measureGrowth(stand, { sizes, requests })) {
    console.log(`${size} accounts`);
    console.table(
      answers.map(({ question, median, p99, asked: times, reads }) => ({
        question,
        'median ms': median.toFixed(1),
        'p99 ms': p99.toFixed(1),
        [`times ${sizes[0]}`]: (median / (base[question] ??= median)).toFixed(2),
        asked: times,
        reads,
      })),
    );
  }
  console.log(machine());
} finally {
  await stand.stop();
}
