import type { Statement } from './database.ts';

/**
 * Tag for statements written in the source: every `${value}` becomes a bound parameter.
 *
 *     tx.query(sql`select id from auth.users where lower(email) = ${email}`)
 *
 * Identifiers cannot be interpolated; where they vary, write two statements.
 */
export function sql(parts: TemplateStringsArray, ...values: unknown[]): Statement {
  let text = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 1) {
    text += `$${index}${parts[index] ?? ''}`;
  }
  return { text, values };
}
