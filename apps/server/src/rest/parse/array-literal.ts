/** Arrays in Postgres' notation (PostgreSQL manual, "Array Input and Output Syntax"). */

/** Every element is quoted, so that none of them means anything but itself. */
export function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** The elements, as far as a pattern's cost needs them: more rather than fewer. */
export function arrayElements(literal: string): string[] {
  return [...literal.matchAll(/"((?:\\[^]|[^"\\])*)"|((?:\\[^]|[^{},"\\])+)/g)].map(([, quoted, raw]) =>
    (quoted ?? raw ?? '').replace(/\\([^])/g, '$1'),
  );
}
