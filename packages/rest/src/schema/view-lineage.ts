/**
 * Finds the table column behind each view column. Postgres stores a view as a serialized parse tree in
 * `pg_rewrite.ev_action`; only the outermost target list is parsed.
 */

/** Table OID and column number by column number of the view. */
export type ColumnLineage = ReadonlyMap<number, { readonly oid: string; readonly column: number }>;

/** Returns the direct origins of the columns of a view, which can be views as well. */
export function parseLineage(action: string): ColumnLineage {
  const lineage = new Map<number, { oid: string; column: number }>();
  for (const entry of targetEntries(action)) {
    const number = Number(/:resno (\d+)/.exec(entry)?.[1] ?? 0);
    const oid = /:resorigtbl (\d+)/.exec(entry)?.[1] ?? '0';
    const column = Number(/:resorigcol (\d+)/.exec(entry)?.[1] ?? 0);
    if (number > 0 && oid !== '0' && column > 0) lineage.set(number, { oid, column });
  }
  return lineage;
}

/** Returns the fields of each entry of the outermost target list, without nested nodes. */
function targetEntries(action: string): string[] {
  const entries: string[] = [];
  let depth = 0;
  let inTargets = false;
  let entry = '';
  for (let index = 0; index < action.length; index += 1) {
    const character = action.charAt(index);
    if (character === '\\') {
      // Skips an escaped character of a name.
      index += 1;
    } else if (character === '{') {
      depth += 1;
    } else if (character === '}') {
      if (inTargets && depth === 2) {
        entries.push(entry);
        entry = '';
      }
      depth -= 1;
    } else if (depth === 1 && character === ':') {
      if (inTargets) return entries;
      inTargets = action.startsWith(':targetList ', index);
    } else if (depth === 2 && inTargets) {
      entry += character;
    }
  }
  return entries;
}

/** Resolves views that refer to other views, down to tables. */
export function resolveLineages(direct: ReadonlyMap<string, ColumnLineage>): Map<string, ColumnLineage> {
  const resolve = (
    oid: string,
    column: number,
    seen: readonly string[],
  ): { oid: string; column: number } | null => {
    const lineage = direct.get(oid);
    if (!lineage) return { oid, column };
    const origin = lineage.get(column);
    if (!origin || seen.includes(origin.oid)) return null;
    return resolve(origin.oid, origin.column, [...seen, origin.oid]);
  };
  const resolved = new Map<string, ColumnLineage>();
  for (const [oid, lineage] of direct) {
    const columns = new Map<number, { oid: string; column: number }>();
    for (const column of lineage.keys()) {
      const origin = resolve(oid, column, [oid]);
      if (origin) columns.set(column, origin);
    }
    resolved.set(oid, columns);
  }
  return resolved;
}
