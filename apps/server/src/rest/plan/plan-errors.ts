/** Refusals that a step tells before the statement runs, and the statement itself where only it can know. */
import { ApiError } from '../../errors.ts';

/** The answer to a PUT whose body is another row than its address. */
export function keyMismatchError(): ApiError {
  return new ApiError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');
}

/** The answer to a singular request that matched another number of rows. */
export function notSingularError(rows: string): ApiError {
  return new ApiError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });
}
