/** Deletes many rows in short transactions: a single statement can take longer than its limit, and would then never succeed. */
import type { Statement, Transaction } from './database.ts';

/** Maximum number of batches of a run, so that a stopping service waits for seconds only. The next run continues. */
const maxBatches = 200;

/**
 * Deletes the rows of a table that fulfil a condition.
 *
 * @param database not a transaction
 * @param table SQL name with schema
 * @param condition on columns of the table
 * @param batchRows rows of a transaction
 */
export async function deleteExpired(
  database: Transaction,
  table: string,
  { text, values }: Statement,
  batchRows = 5000,
): Promise<void> {
  // Tests the condition again: a row that another transaction has renewed since then stays. Postgres before November 2025
  // does not compare `ctid` again.
  const statement = {
    text: `delete from ${table}
      where ctid = any (array(select ctid from ${table} where ${text} limit ${batchRows})) and (${text}) returning 1`,
    values,
  };
  for (let batch = 0; batch < maxBatches; batch += 1)
    if ((await database.query(statement)).length < batchRows) return;
}
