/** Compiles a JSON body to rows. Postgres parses the body text. */
import { type SqlBuilder } from './sql-builder.ts';
import type { Payload } from '../plan/write-plan.ts';
import { quoteIdentifier } from '../schema/quote-identifier.ts';

/** Returns a SELECT of the rows of the body with the columns of the payload. */
export function compilePayload(sql: SqlBuilder, payload: Payload): string {
  const { columns, isArray } = payload;
  const body = `${sql.slot(payload.body)}::json`;
  if (columns.length === 0) {
    // One row of defaults per element.
    return isArray ? `select from json_array_elements(${body})` : `select from (select ${body}) as "d"`;
  }
  const names = columns.map(({ name }) => `"d".${quoteIdentifier(name)}`).join(', ');
  const types = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ');
  if (!payload.missingDefault) {
    return `select ${names} from json_to_record${isArray ? 'set' : ''}(${body}) as "d" (${types})`;
  }
  const defaults = columns
    .filter((column) => column.default !== null)
    .map((column) => `${sql.constant(column.name)}::text, ${column.default ?? 'null'}`);
  const elements = isArray
    ? `jsonb_array_elements(${body}::jsonb) as "v" ("element")`
    : `(select ${body}::jsonb as "element") as "v"`;
  const merged = `select jsonb_build_object(${defaults.join(', ')}) || "v"."element" as "row" from ${elements}`;
  return `select ${names} from (${merged}) as "m", jsonb_to_record("m"."row") as "d" (${types})`;
}
