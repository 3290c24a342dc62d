/** Checks the part of a query that applies to the result of a function call. */
import type { CheckContext, LevelRows } from './lookups.ts';
import { checkRead } from './read.ts';
import type { Preferences } from '../parse/preferences.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import { parseSelect } from '../parse/select.ts';
import type { ReadLevel } from '../plan/read-plan.ts';
import type { Routine } from '../schema/routines.ts';

interface RoutineResultOptions {
  readonly tokens: QueryTokens;
  readonly embedDepth: number;
  readonly count: Preferences['count'];
}

/**
 * Returns the checked read of the rows that a function returns.
 *
 * @throws RestError 400 for unknown columns of the result
 */
export function checkRoutineResult(
  context: CheckContext,
  routine: Routine,
  { tokens, embedDepth, count }: RoutineResultOptions,
): ReadLevel {
  const rows: LevelRows = {
    relation: routine.relation,
    isReturned: true,
    columnNames: routine.result === 'row' ? routine.columns : ['value'],
  };
  const select = routine.result === 'row' ? (tokens.select ?? '') : 'value';
  return checkRead(context, rows, parseSelect(select, { depth: embedDepth }), tokens, count);
}
