/** Errors that are raised both before the statement runs and by guards inside the statement. */
import { RestError } from '../errors.ts';

/** Creates the error for a PUT whose body does not match the primary key in the URL. */
export function keyMismatchError(): RestError {
  return new RestError(400, 'PGRST115', 'Payload values do not match URL in primary key column(s)');
}

/** Creates the error for a singular request that did not match exactly one row. */
export function notSingularError(rows: string): RestError {
  return new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows} rows`,
  });
}
