/**
 * Derives the relationships between relations from foreign keys and functions (PostgREST documentation, "Resource
 * Embedding").
 */
import { groupBy } from './group-by.ts';
import type { Routine } from './routines.ts';
import type { Relation } from './relation.ts';
import type { ColumnLineage } from './view-lineage.ts';

/** Column of the first relation, column of the second relation. */
export type ColumnPair = readonly [string, string];

interface Junction {
  readonly relation: Relation;
  /** Foreign keys of the junction: to the origin, to the target. */
  readonly constraints: readonly [string, string];
  /** Origin column, junction column. */
  readonly originPairs: readonly ColumnPair[];
  /** Target column, junction column. */
  readonly targetPairs: readonly ColumnPair[];
}

export interface Relationship {
  readonly cardinality: 'many-to-one' | 'one-to-many' | 'one-to-one' | 'many-to-many' | 'computed';
  readonly origin: Relation;
  readonly target: Relation;
  /** Name of the foreign key, or of the function. */
  readonly name: string;
  /** Origin column, target column. */
  readonly pairs: readonly ColumnPair[];
  readonly toOne: boolean;
  readonly junction: Junction | null;
  readonly routine: Routine | null;
  /** True if the foreign key is on the origin. */
  readonly ownsKey: boolean;
}

export interface ForeignKeyRow {
  readonly name: string;
  readonly fromOid: string;
  readonly toOid: string;
  /** Column numbers: referencing, referenced. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly oneToOne: boolean;
}

/** A foreign key between two exposed relations: tables, or views that contain its columns. */
interface ForeignKey {
  readonly name: string;
  readonly from: Relation;
  readonly to: Relation;
  readonly pairs: readonly ColumnPair[];
  readonly oneToOne: boolean;
}

/** Returns all relationships. A computed relationship overrides derived ones with the same origin and name. */
export function deriveRelationships(
  relations: readonly Relation[],
  rows: readonly ForeignKeyRow[],
  lineages: ReadonlyMap<string, ColumnLineage>,
  routines: readonly Routine[],
): Relationship[] {
  const keys = listExposedKeys(relations, rows, lineages);
  const computed = computedRelationships(relations, routines);
  const detected = [...keys.flatMap(bothDirections), ...manyToMany(keys)];
  const overridden = new Set(computed.map(({ origin, name }) => `${origin.oid} ${name}`));
  return [
    ...computed,
    ...detected.filter(({ origin, target }) => !overridden.has(`${origin.oid} ${target.name}`)),
  ];
}

function listExposedKeys(
  relations: readonly Relation[],
  rows: readonly ForeignKeyRow[],
  lineages: ReadonlyMap<string, ColumnLineage>,
): ForeignKey[] {
  const relationNames = relations.map((relation) => ({
    relation,
    names: columnNames(relation, lineages.get(relation.oid)),
  }));
  const relationsShowing = (oid: string): typeof relationNames =>
    relationNames.filter(({ names }) => names.has(oid));
  return rows.flatMap(({ name, fromOid, toOid, pairs, oneToOne }) =>
    relationsShowing(fromOid).flatMap((from) =>
      relationsShowing(toOid).flatMap((to) => {
        const columns = pairs.map(([referencing, referenced]) => [
          from.names.get(fromOid)?.get(referencing),
          to.names.get(toOid)?.get(referenced),
        ]);
        // A view has the key only if it contains all columns of the key.
        if (columns.some((pair) => pair.includes(undefined))) return [];
        return [
          { name, from: from.relation, to: to.relation, pairs: columns as [string, string][], oneToOne },
        ];
      }),
    ),
  );
}

/** Returns the column names by table OID and column number: of the relation itself, or of the tables behind a view. */
function columnNames(
  relation: Relation,
  lineage: ColumnLineage | undefined,
): Map<string, Map<number, string>> {
  const names = new Map<string, Map<number, string>>();
  for (const column of relation.columns.values()) {
    const origin = lineage ? lineage.get(column.number) : { oid: relation.oid, column: column.number };
    if (!origin) continue;
    const byNumber = names.get(origin.oid) ?? new Map<number, string>();
    if (!byNumber.has(origin.column)) byNumber.set(origin.column, column.name);
    names.set(origin.oid, byNumber);
  }
  return names;
}

function bothDirections({ name, from, to, pairs, oneToOne }: ForeignKey): Relationship[] {
  const shared = { name, junction: null, routine: null };
  return [
    {
      ...shared,
      cardinality: oneToOne ? 'one-to-one' : 'many-to-one',
      origin: from,
      target: to,
      pairs,
      toOne: true,
      ownsKey: true,
    },
    {
      ...shared,
      cardinality: oneToOne ? 'one-to-one' : 'one-to-many',
      origin: to,
      target: from,
      pairs: pairs.map(([referencing, referenced]) => [referenced, referencing]),
      toOne: oneToOne,
      ownsKey: false,
    },
  ];
}

/** Derives many-to-many relationships. The primary key of a junction contains both foreign keys. */
function manyToMany(keys: readonly ForeignKey[]): Relationship[] {
  const byJunction = groupBy(keys, ({ from }) => from);
  return [...byJunction].flatMap(([junction, junctionKeys]) =>
    junctionKeys.flatMap((first) =>
      junctionKeys
        .filter((second) => second !== first && isInPrimaryKey(junction, first, second))
        .map((second): Relationship => ({
          cardinality: 'many-to-many',
          origin: first.to,
          target: second.to,
          name: junction.name,
          pairs: [],
          toOne: false,
          ownsKey: false,
          routine: null,
          junction: {
            relation: junction,
            constraints: [first.name, second.name],
            originPairs: first.pairs.map(([referencing, referenced]) => [referenced, referencing]),
            targetPairs: second.pairs.map(([referencing, referenced]) => [referenced, referencing]),
          },
        })),
    ),
  );
}

function isInPrimaryKey(junction: Relation, first: ForeignKey, second: ForeignKey): boolean {
  if (first.name === second.name) return false;
  return [...first.pairs, ...second.pairs].every(([column]) => junction.primaryKey.includes(column));
}

/** Derives computed relationships: functions that take a row of one relation and return rows of another. */
function computedRelationships(relations: readonly Relation[], routines: readonly Routine[]): Relationship[] {
  return routines.flatMap((routine) => {
    const origin = relations.find(({ oid }) => oid === routine.rowRelationOid);
    if (!origin || !routine.relation) return [];
    return [
      {
        cardinality: 'computed',
        origin,
        target: routine.relation,
        name: routine.name,
        pairs: [],
        toOne: routine.single,
        junction: null,
        routine,
        ownsKey: false,
      },
    ];
  });
}
