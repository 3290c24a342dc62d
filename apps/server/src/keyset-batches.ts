/** Reads a long result in batches, so that neither a transaction nor memory depends on the speed of its reader. */

/** Rows per batch: a few milliseconds of the database and some 100 kB of a file. */
export const batchRows = 1000;

/**
 * Yields the batches of a result. The next batch is read when it is requested, so a reader that stops costs nothing.
 *
 * @param readAfter reads up to `batchRows` rows after a row in the order of the result; null: from the start
 */
export async function* readBatches<Row>(
  readAfter: (last: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void, undefined> {
  let last: Row | null = null;
  for (;;) {
    const rows: readonly Row[] = await readAfter(last);
    if (rows.length > 0) yield rows;
    if (rows.length < batchRows) return;
    last = rows.at(-1) ?? null;
  }
}
