/** Reads the page after a row of a sorted list. Not part of the initial bundle. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { quoteFilterValue } from '../../api/search-filter.ts';

export interface AccountsPage {
  readonly rows: readonly AccountRow[];
  /** Number of matching accounts; null if the service sends no total and more pages may follow. */
  readonly total: number | null;
}

interface PageAfter {
  readonly column: string;
  readonly direction: string;
  readonly size: number;
  /** The first row of the page before. */
  readonly first: AccountRow | undefined;
  /** The last row of the page before. */
  readonly after: AccountRow;
}

/**
 * If all rows of the page before have the same value, many rows can have it, and the index scan of the combined
 * condition would start at the first of them. The page is then read by the value instead.
 *
 * @param read reads rows at a cursor
 */
export const readPageAfter = async (
  { column, direction, size, first, after }: PageAfter,
  read: (limit: number, cursor: Readonly<Record<string, string>>) => Promise<AccountsPage>,
): Promise<AccountsPage> => {
  const next = direction === 'desc' ? 'lt' : 'gt';
  const value = after[column as 'name'];
  if (first?.[column as 'name'] !== after[column as 'name']) {
    const quoted = quoteFilterValue(value);
    return read(size, {
      // Implied by the condition below, but only this form lets PostgreSQL start the index scan at the right
      // position.
      [column]: `${next}e.${value}`,
      or: `(${column}.${next}.${quoted},and(${column}.eq.${quoted},id.${next}.${after.id}))`,
    });
  }
  const same = await read(size, { [column]: `eq.${value}`, id: `${next}.${after.id}` });
  const missing = size - same.rows.length;
  if (missing <= 0) return same;
  const other = await read(missing, { [column]: `${next}.${value}` });
  return { ...other, rows: [...same.rows, ...other.rows] };
};
