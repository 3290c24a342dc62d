/**
 * Guards roll back a statement that violates a condition: a singular response with other than one row, more rows than
 * `max-affected`, a write without filters, or a response that is too large. The statement raises the error itself, so write
 * and check need one round trip. The error contains a random marker of this process, so values of a request cannot forge it.
 */
import { randomBytes } from 'node:crypto';
import type { QueryError } from '@lanternrock/postgres/errors';
import { RestError } from '../errors.ts';
import type { SqlBuilder } from './sql-builder.ts';
import type { Slot } from '../plan/query-types.ts';
import { keyMismatchError, notSingularError } from '../plan/plan-errors.ts';

const marker = `guard-${randomBytes(12).toString('hex')}`;

export interface Guards {
  /** Requires exactly one row, the row that a PUT identifies. */
  readonly keyed: boolean;
  /** Requires exactly one row. */
  readonly single: boolean;
  /** Slot of the maximum number of affected rows; null without a maximum. */
  readonly maxAffected: Slot | null;
  /** Verb of a write without filters, which is always rejected and changes no rows; null for other writes. */
  readonly unfiltered: 'UPDATE' | 'DELETE' | null;
}

/**
 * Returns `value`, or raises an error if a guard is violated. `count(*)` prevents Postgres from evaluating the error at
 * plan time.
 */
export function compileGuards(
  sql: SqlBuilder,
  { keyed, single, maxAffected, unfiltered }: Guards,
  value: string,
): string {
  const raise = (kind: string): string => `(('${marker} ${kind} ' || count(*))::int)::text`;
  if (unfiltered !== null) return raise(unfiltered);
  const cases: string[] = [];
  if (keyed) cases.push(`when count(*) <> 1 then ${raise('KEY')}`);
  if (maxAffected !== null)
    cases.push(`when count(*) > ${sql.slot(maxAffected)}::bigint then ${raise('MAX')}`);
  if (single) cases.push(`when count(*) <> 1 then ${raise('SINGLE')}`);
  return cases.length === 0 ? value : `case ${cases.join(' ')} else ${value} end`;
}

/** Returns `body`, or raises an error if it is too large for the memory of the service. `page` is the number of rows. */
export function compileSizeGuard(body: string, page: string, maxBytes: number): string {
  const raise = `('${marker} SIZE ' || ${page})::int::text`;
  return `case when octet_length(${body}) > ${maxBytes} then ${raise} else ${body} end`;
}

const raised = new RegExp(`"${marker} (\\w+) (\\d+)"`);

/** Returns the number of rows that a statement wrote before its error undid them: infinite if it ran out of time, else at least 1. */
export function countUndoneRows(error: QueryError): number {
  if (error.code === '57014') return Infinity;
  return Math.max(1, Number(raised.exec(error.message)?.[2] ?? 1));
}

/** Returns the API error of a violated guard; null for other errors. */
export function guardError(error: QueryError): RestError | null {
  if (error.code !== '22P02') return null;
  const match = raised.exec(error.message);
  if (!match) return null;
  const [, kind, count = '0'] = match;
  if (kind === 'SINGLE') return notSingularError(count);
  if (kind === 'KEY') return keyMismatchError();
  if (kind === 'SIZE') {
    return new RestError(400, '54000', 'The response is larger than RESPONSE_LIMIT', {
      details: `It has ${count} rows.`,
      hint: 'Request fewer columns, or fewer rows with limit and offset.',
    });
  }
  if (kind === 'MAX') {
    return new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${count} rows`,
    });
  }
  return new RestError(400, '21000', `${kind} requires a WHERE clause`);
}
