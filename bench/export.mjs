/**
 * Measures the export of the account list on both databases: `npm run build`, then `npm run bench -- export 1000000`.
 * Without a number, 100,000 accounts. ENGINES names the databases, separated by spaces (default: `postgres embedded`).
 */
import { fillAccounts, openEmbeddedFixture, openFixture, describeMachine } from './server/fixture.mjs';
import { insertAccounts } from './server/insert-accounts.mjs';
import { measureExport } from './server/measure-export.mjs';

const rows = Number(process.argv[2] ?? 100_000);
const engines = (process.env.ENGINES ?? 'postgres embedded').split(' ');
const unknown = engines.find((engine) => !['postgres', 'embedded'].includes(engine));
if (unknown !== undefined) throw new Error(`ENGINES must name postgres, embedded or both, not "${unknown}".`);

console.log(describeMachine());
for (const engine of engines) {
  const fixture = engine === 'postgres' ? await openFixture() : await openEmbeddedFixture();
  try {
    await (engine === 'postgres'
      ? fillAccounts(fixture, rows)
      : insertAccounts(fixture, { rows, batchRows: 5000 }));
    const results = [];
    // The first export is a cold one.
    for (const sort of ['created', 'created', 'name', 'updated'])
      results.push({ engine, ...(await measureExport(fixture, sort)) });
    console.table(results);
  } finally {
    await fixture.stop();
  }
}
console.log(describeMachine());
