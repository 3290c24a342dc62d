/** Parses the `order` parameter (PostgREST documentation, "Ordering"). */
import type { OrderTerm } from '../plan/query-types.ts';
import { Scanner } from './scanner.ts';

const maxTerms = 100;

/**
 * Parses the value of an `order` parameter.
 *
 * @throws RestError 400 PGRST100
 */
export function parseOrder(text: string): OrderTerm[] {
  const scanner: Scanner = new Scanner(text, 'order');
  const terms: OrderTerm[] = [];
  do {
    scanner.skipSpaces();
    terms.push(parseTerm(scanner));
    scanner.skipSpaces();
    if (terms.length > maxTerms) scanner.exceed(`at most ${maxTerms} terms`);
  } while (scanner.take(','));
  if (!scanner.ended) scanner.fail('"asc", "desc", "nullsfirst", "nullslast" or end of input');
  return terms;
}

function parseTerm(scanner: Scanner): OrderTerm {
  let field = scanner.field();
  let embed: string | null = null;
  if (field.path.length === 0 && scanner.take('(')) {
    embed = field.name;
    field = scanner.field();
    scanner.expect(')');
  }
  const direction = scanner.take('.asc') ? 'asc' : scanner.take('.desc') ? 'desc' : null;
  const nulls = scanner.take('.nullsfirst') ? 'first' : scanner.take('.nullslast') ? 'last' : null;
  return { field, embed, direction, nulls };
}
