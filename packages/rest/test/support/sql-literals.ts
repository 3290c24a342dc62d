/** Finds the literals in the text of a statement, to check that it contains no part of a request. */

/** Quoted words that the compiler and the settings statement contain. */
const knownLiterals = new Set([
  '',
  '[]',
  '{}',
  'null',
  ',',
  '\\n',
  '0',
  'aal',
  'on',
  'true',
  'authenticator',
  'jit',
  'off',
  'role',
  'request.id',
  'request.origin',
  'request.jwt.claims',
  'rest.inserted',
  'search_path',
  'session_authorization',
  'statement_timeout',
  'timezone',
  'transaction_read_only',
]);

/** The error of a guard, which contains a random text of the process. */
const guardLiteral = /^guard-[\da-f]{24} [A-Z]+ $/;
/** The guard of the size contains RESPONSE_LIMIT. */
const sizeGuard = /octet_length\(body\) > \d+/g;

/**
 * Returns the literals that no part of the service writes, numbers, comments, and statements after the first.
 */
export function findUnexpectedLiterals(text: string): string[] {
  // Quoted names come from the catalog, or Postgres rejects them as unknown columns.
  const unnamed = text.replace(/"(?:[^"]|"")*"/g, 'name').replace(sizeGuard, 'guard');
  const literals = [...unnamed.matchAll(/'((?:[^']|'')*)'/g)].map(([, literal = '']) => literal);
  const rest = unnamed.replace(/'(?:[^']|'')*'/g, 'literal');
  return [
    ...literals.filter((literal) => !knownLiterals.has(literal) && !guardLiteral.test(literal)),
    ...(/;|--|\/\*|\$\D/.exec(rest) ?? []),
    ...(/(?<![$\w])\d{6,}/.exec(rest) ?? []),
  ];
}
