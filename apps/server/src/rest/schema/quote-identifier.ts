/** Names of the catalog as SQL spells them. */

/** Quotes a name. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A name with its schema. */
export function quoteQualifiedName({
  schema,
  name,
}: {
  readonly schema: string;
  readonly name: string;
}): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
