/**
 * Conditions that must undo a write: a singular answer with other than one row, more rows than
 * `max-affected` allows, a change of a whole table. The statement itself raises an error that
 * carries a word which nobody outside this process knows, so no value of a request can imitate it;
 * that keeps the write and its check in one round trip.
 */
import { randomBytes } from 'node:crypto';
import type { QueryError } from '@lanternrock/postgres/errors';
import { ApiError } from '../../errors.ts';
import type { SqlBuilder } from './sql-builder.ts';
import type { Slot } from '../plan/query-types.ts';
import { keyMismatchError, notSingularError } from '../plan/plan-errors.ts';

const marker = `guard-${randomBytes(12).toString('hex')}`;

export interface Guards {
  /** Exactly one row, the one that a PUT names. */
  readonly keyed: boolean;
  /** Exactly one row. */
  readonly single: boolean;
  /** Slot of the most rows that may be touched. */
  readonly maxAffected: Slot | null;
  /** The verb, when the request names no rows at all: then nothing is touched, whatever the count. */
  readonly unfiltered: 'UPDATE' | 'DELETE' | null;
}

/** `value`, unless a guard refuses. The count keeps Postgres from computing the error while it plans. */
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

/** The refusal behind a guard's error; null for any other error. */
export function guardError(error: QueryError): ApiError | null {
  if (error.code !== '22P02') return null;
  const match = new RegExp(`"${marker} (\\w+) (\\d+)"`).exec(error.message);
  if (!match) return null;
  const [, kind, count = '0'] = match;
  if (kind === 'SINGLE') return notSingularError(count);
  if (kind === 'KEY') return keyMismatchError();
  if (kind === 'MAX') {
    return new ApiError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${count} rows`,
    });
  }
  return new ApiError(400, '21000', `${kind} requires a WHERE clause`);
}
