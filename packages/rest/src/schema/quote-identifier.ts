/** Quotes names of the catalog for use in SQL. */

/** Returns the name as a quoted SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns the name with its schema as a quoted SQL identifier. */
export function quoteQualifiedName({
  schema,
  name,
}: {
  readonly schema: string;
  readonly name: string;
}): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
