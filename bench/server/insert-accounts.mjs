/**
 * Inserts accounts through the Data API, because the embedded database has no other connection.
 *
 * @param batchRows rows per request
 * @param extra further columns of a batch
 */
export async function insertAccounts(fixture, { rows, batchRows, extra = () => ({ city: 'Vail' }) }) {
  for (let from = 0; from < rows; from += batchRows)
    await fixture.insert(
      'accounts',
      Array.from({ length: Math.min(batchRows, rows - from) }, (_, n) => ({
        name: `Patrol ${from + n}`,
        slug: `patrol-${from + n}`,
        account_type: n % 2 === 0 ? 'enterprise' : 'organization',
        ...extra(from / batchRows),
      })),
    );
}
