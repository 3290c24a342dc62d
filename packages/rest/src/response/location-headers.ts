/** Formats the headers that contain the URL of a response. */
import type { ParsedRequest } from '../parse/parse-request.ts';
import { formatKey } from '../parse/query-key.ts';

/** Returns the `Location` header of an inserted row: the filter by its primary key. */
export function formatLocation(
  name: string,
  columns: readonly string[],
  values: readonly (string | null)[],
): string {
  const query = new URLSearchParams(
    columns.map((column, index): [string, string] => {
      const value = values[index] ?? null;
      return [formatKey(column), value === null ? 'is.null' : `eq.${value}`];
    }),
  );
  return `/${encodeURIComponent(name)}?${query.toString()}`;
}

/** Returns the `Content-Location` header of a read. */
export function formatContentLocation(request: ParsedRequest, sortedQuery: string): string {
  const path = `${request.call ? '/rpc' : ''}/${encodeURIComponent(request.name)}`;
  return sortedQuery === '' ? path : `${path}?${sortedQuery}`;
}
