/** Checks PUT: it writes the single row that the URL identifies by its primary key. */
import { RestError } from '../errors.ts';
import { keyMismatchError } from '../plan/plan-errors.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { ReadLevel, PlannedLogic } from '../plan/read-plan.ts';
import type { Relation } from '../schema/relation.ts';
import type { Payload } from '../plan/write-plan.ts';

/**
 * Requires that the filters identify one row by its primary key.
 *
 * @throws RestError 405 PGRST105 unless the filters are `eq` conditions on all columns of the primary key and on no others.
 *   Two values of one column pass; the row then differs from the URL (PGRST115). 400 PGRST114 with a limit or an offset
 */
export function checkPrimaryKeyFilter(
  relation: Relation,
  { where }: ReadLevel,
  { limitOffsets }: QueryTokens,
): void {
  if (limitOffsets.some(({ path }) => path.length === 0)) {
    throw new RestError(400, 'PGRST114', 'limit/offset querystring parameters are not allowed for PUT');
  }
  // Null for any other condition, so that the size differs.
  const filteredColumns = new Set(where.map(findEqualColumn));
  const { primaryKey } = relation;
  const matchesKey =
    filteredColumns.size === primaryKey.length && primaryKey.every((column) => filteredColumns.has(column));
  if (primaryKey.length === 0 || !matchesKey) {
    throw new RestError(
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    );
  }
}

/** Returns the column of a plain `eq` condition; null for other conditions. */
function findEqualColumn(node: PlannedLogic): string | null {
  if (node.kind !== 'condition' || node.column.path.length > 0) return null;
  const { operation } = node;
  const equal =
    operation.kind === 'compare' &&
    operation.operator === 'eq' &&
    operation.quantifier === null &&
    !operation.negated;
  return equal ? node.column.name : null;
}

/**
 * Requires that the body contains the primary key.
 *
 * @throws RestError 400 PGRST115 if the body omits a column of the primary key
 */
export function checkPrimaryKeyPayload(primaryKey: readonly string[], { columns }: Payload): void {
  if (!primaryKey.every((name) => columns.some((column) => column.name === name))) throw keyMismatchError();
}
