/** What a statement's text consists of, so that no part of a request is found in it. */

/** Words in quotes that the compiler and the settings statement print. */
const ownLiterals = new Set([
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
  'request.jwt.claims',
  'rest.inserted',
  'search_path',
  'session_authorization',
  'statement_timeout',
  'timezone',
  'transaction_read_only',
]);

/** @returns literals that no part of the service prints, numbers, comments and statements behind the first. */
export function findUnexpectedLiterals(text: string): string[] {
  // Quoted names come from the catalog, or are answered by Postgres as unknown columns.
  const unnamed = text.replace(/"(?:[^"]|"")*"/g, 'name');
  const literals = [...unnamed.matchAll(/'((?:[^']|'')*)'/g)].map(([, literal = '']) => literal);
  const rest = unnamed.replace(/'(?:[^']|'')*'/g, 'literal');
  return [
    ...literals.filter((literal) => !ownLiterals.has(literal)),
    ...(/;|--|\/\*|\$\D/.exec(rest) ?? []),
    ...(/(?<![$\w])\d{6,}/.exec(rest) ?? []),
  ];
}
