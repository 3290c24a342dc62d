/** The dry run of an import: what it would do, what would change, and which rows look like accounts that exist. */
import type { ImportResult, ImportRow } from '@lanternrock/contract/account-import';
import type { SimilarAccount } from '@lanternrock/contract/similar-accounts';
import { type Transaction, sql } from '@lanternrock/postgres';
import { planImport, toImportResult } from './import-accounts.ts';
import { listChanges, type PlannedRow, type PlanOptions } from './import-plan.ts';

interface PreviewOptions extends PlanOptions {
  /** Also finds names that are spelled differently. */
  readonly compareSpelling: boolean;
}

/** Rows of one transaction. The search for other spellings takes up to 50 ms for each row, during which other requests wait. */
export const previewRows = { withSpelling: 20, withoutSpelling: 500 } as const;

/** Returns what an import would do with each row, in the same order. Writes nothing. */
export async function previewImport(
  tx: Transaction,
  rows: readonly ImportRow[],
  options: PreviewOptions,
): Promise<readonly ImportResult[]> {
  const planned = await planImport(tx, rows, options);
  const comparisons = await compareNames(tx, planned, options.compareSpelling);
  return planned.map((row): ImportResult => {
    const result = toImportResult(row);
    if (row.outcome === 'changed')
      return {
        ...result,
        changes: listChanges(row.account, row.fields),
        ...(row.isByNameOnly ? { by_name_only: true } : {}),
      };
    return row.outcome === 'created' ? { ...result, ...comparisons.get(row.line) } : result;
  });
}

type Comparison = Pick<ImportResult, 'name_key' | 'similar'>;

/**
 * Compares the names of rows that would create an account with those of existing accounts. Names with different numbers, such
 * as those of stations, and names in different cities do not look alike.
 *
 * @returns the key of the name, and the most similar account, by line
 */
async function compareNames(
  tx: Transaction,
  planned: readonly PlannedRow[],
  compareSpelling: boolean,
): Promise<ReadonlyMap<number, Comparison>> {
  const wanted = planned.flatMap((row) =>
    row.outcome === 'created' ? [{ line: row.line, name: row.fields.name, city: row.fields.city }] : [],
  );
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<{ line: number; key: string } & (SimilarAccount | { id: null })>(
    sql`select w.line, w.key, s.id, s.name, s.city
          from (
            select line, name, city, private.comparable_name(name) as key
              from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) r (line integer, name text, city text)
          ) w
          left join lateral (
            select a.id, a.name, a.city
              from (
                select a.id, 1::real as score from public.accounts a
                  where private.comparable_name(a.name) = w.key and w.key <> ''
                union all
                select c.id, c.score from private.similar_accounts(case when ${compareSpelling} then w.name end) c
              ) c join public.accounts a on a.id = c.id
              where (w.city is null or a.city is null or private.fold_text(a.city) = private.fold_text(w.city))
                and btrim(regexp_replace(private.fold_text(a.name), '[^0-9]+', ' ', 'g'))
                  = btrim(regexp_replace(private.fold_text(w.name), '[^0-9]+', ' ', 'g'))
              order by c.score desc, a.id limit 1
          ) s on true`,
  );
  return new Map(
    rows.map(({ line, key, ...account }) => {
      const similar = account.id === null ? {} : { similar: account };
      // A name of punctuation alone has no key.
      return [line, { ...(key === '' ? {} : { name_key: key }), ...similar }];
    }),
  );
}
