/**
 * Measures the export of the account list on both databases: `npm run build`, then `node bench/export.mjs 1000000`.
 * ENGINES names the databases (default: `postgres embedded`).
 */
import { fillAccounts, openEmbeddedFixture, openFixture, describeMachine } from './server/fixture.mjs';
import { measureExport } from './server/measure-export.mjs';

const rows = Number(process.argv[2] ?? 100_000);
const engines = (process.env.ENGINES ?? 'postgres embedded').split(' ');
const insertRows = 5000;

/** The embedded database is filled through the Data API. */
async function fillEmbedded(fixture) {
  for (let from = 0; from < rows; from += insertRows)
    await fixture.insert(
      'accounts',
      Array.from({ length: Math.min(insertRows, rows - from) }, (_, n) => ({
        name: `Patrol ${from + n}`,
        slug: `patrol-${from + n}`,
        account_type: n % 2 === 0 ? 'enterprise' : 'organization',
        city: 'Vail',
      })),
    );
}

console.log(describeMachine());
for (const engine of engines) {
  const fixture = engine === 'postgres' ? await openFixture() : await openEmbeddedFixture();
  try {
    await (engine === 'postgres' ? fillAccounts(fixture, rows) : fillEmbedded(fixture));
    const results = [];
    for (const sort of ['created', 'created', 'name', 'updated'])
      results.push({ engine, ...(await measureExport(fixture, sort)) });
    console.table(results);
  } finally {
    await fixture.stop();
  }
}
console.log(describeMachine());
