/**
 * Random walks through the console. The number of a walk is its seed. `WALKS=17` repeats one walk,
 * `WALKS=1-1000` takes a range, and `SHORTEN=1` removes unnecessary steps from a failed walk.
 */
import { expect, test } from '../support/console-fixtures.ts';
import { candidates, toCommands, type SerializedStep, type StepCommand } from '../support/walk/commands.ts';
import { examples } from '../support/walk/examples.ts';
import { shorten } from '../support/walk/shorten.ts';
import { Walks } from '../support/walk/take-walk.ts';

test.use({ external: true });

const accountCounts = [0, 1, 30, 301, 1001, 5000];
const getAccountCount = (number: number): number => accountCounts[number % accountCounts.length] ?? 0;

const range = process.env['WALKS'] ?? (process.env['TEST_LONG'] ? '1-300' : undefined);
const firstOfShortRun = Number(process.env['TEST_SEED'] ?? 1);
const shortRunMs = 60_000;

/** Yields the numbers of the range, or numbers until the time of a short run is over. */
function* numbers(): Generator<number> {
  const until = range === undefined ? Date.now() + shortRunMs : Infinity;
  const [from = firstOfShortRun, to = from] = range?.split('-').map(Number) ?? [firstOfShortRun, Infinity];
  for (let number = from; number <= to && Date.now() < until; number += 1) yield number;
}

test('finds no violated invariant on random walks through the console', async ({
  browser,
  instance,
  users,
  sql,
}) => {
  test.setTimeout(range === undefined ? shortRunMs * 5 : 24 * 3_600_000);
  const walks = new Walks({ browser, instance, sql, user: await users.create() });
  const failures: string[] = [];
  console.log(`Random walks from walk ${range ?? firstOfShortRun}.`);
  const take = async (name: string, accounts: number, steps: readonly StepCommand[]): Promise<number> => {
    const { taken, failure } = await walks.take(accounts, steps);
    if (range !== undefined) console.log(`${name}: [${taken.join(', ')}]`);
    if (failure === null) return taken.length;
    const repeat = /^walk \d+$/.test(name)
      ? ` Repeat with WALKS=${name.slice(5)} npx playwright test random-walks`
      : '';
    failures.push(`${name}: ${accounts} accounts, [${taken.join(', ')}]${repeat}\n${failure}`);
    if (range !== undefined) console.log(`FAILED ${failures.at(-1)}`);
    if (process.env['SHORTEN']) {
      const shortest = await shorten(
        JSON.parse(`[${taken.join(', ')}]`) as SerializedStep[],
        async (fewer) => (await walks.take(accounts, toCommands(fewer))).failure !== null,
      );
      console.log(`${name} also fails as ${JSON.stringify(shortest)}`);
    }
    return taken.length;
  };
  for (const { defect, accounts, steps } of examples)
    await take(`example "${defect}"`, accounts, toCommands(steps));
  let walkCount = 0;
  let stepCount = 0;
  for (const number of numbers()) {
    const startMs = Date.now();
    stepCount += await take(`walk ${number}`, getAccountCount(number), candidates(number));
    walkCount += 1;
    if (range !== undefined) console.log(`walk ${number}: ${Date.now() - startMs} ms`);
  }
  console.log(`${walkCount} random walks, ${stepCount} steps, from walk ${range ?? firstOfShortRun}`);
  expect(failures).toEqual([]);
});
