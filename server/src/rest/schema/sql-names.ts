/** Names of the catalog as SQL spells them. */

/** Quotes a name. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A name with its schema. */
export function qualified({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${identifier(schema)}.${identifier(name)}`;
}
