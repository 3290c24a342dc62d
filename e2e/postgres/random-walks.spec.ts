/**
 * Random walks through the console. A walk follows from its number: `WALKS=17` repeats one, `WALKS=1-1000`
 * takes a range, `SHORTEN=1` leaves out of a walk that fails the steps that it fails without.
 */
import { expect, test } from '../support/console-fixtures.ts';
import { candidates, commandsOf, type KeptStep, type StepCommand } from '../support/walk/commands.ts';
import { examples } from '../support/walk/examples.ts';
import { shorten } from '../support/walk/shorten.ts';
import { Walks } from '../support/walk/take-walk.ts';

// A walk that fails at the first attempt has found something.
test.describe.configure({ retries: 0 });
test.use({ external: true });

const accountNumbers = [0, 1, 30, 301, 1001, 5000];
const accountsOf = (number: number): number => accountNumbers[number % accountNumbers.length] ?? 0;

const range = process.env['WALKS'] ?? (process.env['TEST_LONG'] ? '1-1000' : undefined);
const firstOfShortRun = Number(process.env['TEST_SEED'] ?? 1);
const shortRunMs = 60_000;

/** The numbers of the range, or as many as fit into a short run. The time runs from the first one. */
function* numbers(): Generator<number> {
  const until = range === undefined ? Date.now() + shortRunMs : Infinity;
  const [from = firstOfShortRun, to = from] = range?.split('-').map(Number) ?? [firstOfShortRun, Infinity];
  for (let number = from; number <= to && Date.now() < until; number += 1) yield number;
}

test('a person who walks at random through the console finds every screen sound', async ({
  browser,
  product,
  people,
  sql,
}) => {
  test.setTimeout(range === undefined ? shortRunMs * 5 : 24 * 3_600_000);
  const walks = new Walks({ browser, product, sql, person: await people.make() });
  const failures: string[] = [];
  const take = async (name: string, accounts: number, steps: readonly StepCommand[]): Promise<number> => {
    const { taken, failure } = await walks.take(accounts, steps);
    if (failure === null) return taken.length;
    failures.push(`${name}: ${accounts} accounts, [${taken.join(', ')}]\n${failure}`);
    if (range !== undefined) console.log(`FAILED ${failures.at(-1)}`);
    if (process.env['SHORTEN']) {
      const kept = JSON.parse(`[${taken.join(', ')}]`) as KeptStep[];
      const shortest = await shorten(
        kept,
        async (fewer) => (await walks.take(accounts, commandsOf(fewer))).failure !== null,
      );
      console.log(`${name} also fails as ${JSON.stringify(shortest)}`);
    }
    return taken.length;
  };
  for (const { defect, accounts, steps } of examples)
    await take(`example "${defect}"`, accounts, commandsOf(steps));
  let walked = 0;
  let stepped = 0;
  for (const number of numbers()) {
    const began = Date.now();
    stepped += await take(`walk ${number}`, accountsOf(number), candidates(number));
    walked += 1;
    if (range !== undefined) console.log(`walk ${number}: ${Date.now() - began} ms`);
  }
  console.log(`${walked} random walks, ${stepped} steps, from walk ${range ?? firstOfShortRun}`);
  expect(failures).toEqual([]);
});
