/**
 * Random walks through the console, after the examples. The number of a walk is its seed. `WALKS=17` runs one walk,
 * `WALKS=1-1000` a range, and `SHORTEN=1` removes unnecessary steps from a failed walk. Without WALKS, walks run for a
 * minute from TEST_SEED on; TEST_LONG runs 1 to 300.
 */
import { expect, test } from '../support/console-fixtures.ts';
import { candidates, toCommands, type SerializedStep, type StepCommand } from '../support/walk/commands.ts';
import { examples } from '../support/walk/examples.ts';
import { shorten } from '../support/walk/shorten.ts';
import { type Outcome, Walks } from '../support/walk/walks.ts';
import { parseWalkRange } from '../support/walk/walk-range.ts';

test.use({ external: true });

const accountCounts = [0, 1, 30, 301, 1001, 5000];
const toAccountCount = (number: number): number => accountCounts[number % accountCounts.length] ?? 0;

const rangeText = process.env['WALKS'] ?? (process.env['TEST_LONG'] ? '1-300' : undefined);
const range = rangeText === undefined ? undefined : parseWalkRange(rangeText);
/** A long run prints each walk and has no time limit. */
const isLongRun = range !== undefined;
const { first, last } = range ?? { first: Number(process.env['TEST_SEED'] ?? 1), last: Infinity };
const shortRunMs = 60_000;

/** Yields the numbers of the range, or numbers until the time of a short run is over. */
function* listWalkNumbers(): Generator<number> {
  const until = isLongRun ? Infinity : Date.now() + shortRunMs;
  for (let number = first; number <= last && Date.now() < until; number += 1) yield number;
}

interface NamedWalk {
  readonly name: string;
  /** Null for an example, which every run repeats. */
  readonly repeatCommand: string | null;
  readonly accountCount: number;
  readonly steps: readonly StepCommand[];
}

/** Takes a walk and prints it in a long run. */
async function takeWalk(walks: Walks, { name, accountCount, steps }: NamedWalk): Promise<Outcome> {
  const startMs = Date.now();
  const outcome = await walks.take(accountCount, steps);
  if (isLongRun) console.log(`${name}: [${outcome.taken.join(', ')}], ${Date.now() - startMs} ms`);
  return outcome;
}

const formatFailure = (
  { name, repeatCommand, accountCount }: NamedWalk,
  { taken, failure }: Outcome,
): string =>
  `${name}: ${accountCount} accounts, [${taken.join(', ')}]${repeatCommand === null ? '' : ` Repeat with ${repeatCommand}`}\n${failure}`;

/** Prints the shortest steps with which a failed walk still fails. */
async function shortenWalk(
  walks: Walks,
  { name, accountCount }: NamedWalk,
  { taken }: Outcome,
): Promise<void> {
  const shortest = await shorten(
    JSON.parse(`[${taken.join(', ')}]`) as SerializedStep[],
    async (fewer) => (await walks.take(accountCount, toCommands(fewer))).failure !== null,
  );
  console.log(`${name} also fails as ${JSON.stringify(shortest)}`);
}

test('finds no violated invariant on random walks through the console', async ({
  browser,
  instance,
  users,
  sql,
}) => {
  test.setTimeout(isLongRun ? 24 * 3_600_000 : shortRunMs * 5);
  const walks = new Walks({ browser, instance, sql, user: await users.create() });
  const failures: string[] = [];
  const run = async (walk: NamedWalk): Promise<number> => {
    const outcome = await takeWalk(walks, walk);
    if (outcome.failure !== null) {
      const failure = formatFailure(walk, outcome);
      failures.push(failure);
      if (isLongRun) console.log(`FAILED ${failure}`);
      if (process.env['SHORTEN']) await shortenWalk(walks, walk, outcome);
    }
    return outcome.taken.length;
  };
  const title = `Random walks ${rangeText ?? `from ${first}`}`;
  console.log(`${title}.`);
  for (const { defect, accounts, steps } of examples)
    await run({
      name: `example "${defect}"`,
      repeatCommand: null,
      accountCount: accounts,
      steps: toCommands(steps),
    });
  let walkCount = 0;
  let stepCount = 0;
  for (const number of listWalkNumbers()) {
    stepCount += await run({
      name: `walk ${number}`,
      repeatCommand: `WALKS=${number} npx playwright test random-walks`,
      accountCount: toAccountCount(number),
      steps: candidates(number),
    });
    walkCount += 1;
  }
  console.log(`${title}: ${walkCount} walks, ${stepCount} steps.`);
  expect(failures).toEqual([]);
  expect(walkCount).toBeGreaterThan(0);
});
