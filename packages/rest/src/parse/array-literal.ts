/** Array literals (PostgreSQL manual, "Array Input and Output Syntax"). */

/** Returns an array literal. Quotes all elements, so none has a special meaning. */
export function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/**
 * Returns the elements, for the cost check of patterns only: the result can contain extra elements, but none is
 * missing.
 */
export function arrayElements(literal: string): string[] {
  return [...literal.matchAll(/"((?:\\[^]|[^"\\])*)"|((?:\\[^]|[^{},"\\])+)/g)].map(([, quoted, raw]) =>
    (quoted ?? raw ?? '').replace(/\\([^])/g, '$1'),
  );
}
