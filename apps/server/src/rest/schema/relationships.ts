/** Ways from one relation to another, derived from foreign keys; wire contract "Embedding". */
import { groupBy } from './group-by.ts';
import type { Routine } from './routines.ts';
import type { Relation } from './relation.ts';
import type { ColumnLineage } from './view-lineage.ts';

/** Column of the one side, column of the other side. */
export type ColumnPair = readonly [string, string];

interface Junction {
  readonly relation: Relation;
  /** Constraints of the junction towards the origin and towards the target. */
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
  /** True when the origin's columns are the foreign key. */
  readonly ownsKey: boolean;
}

export interface ForeignKeyRow {
  readonly name: string;
  readonly fromOid: string;
  readonly toOid: string;
  /** Column numbers: own, other. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly oneToOne: boolean;
}

/** A foreign key between two exposed relations, tables or views that show its columns. */
interface ForeignKey {
  readonly name: string;
  readonly from: Relation;
  readonly to: Relation;
  readonly pairs: readonly ColumnPair[];
  readonly oneToOne: boolean;
}

export function deriveRelationships(
  relations: readonly Relation[],
  rows: readonly ForeignKeyRow[],
  lineages: ReadonlyMap<string, ColumnLineage>,
  routines: readonly Routine[],
): Relationship[] {
  const keys = exposedKeys(relations, rows, lineages);
  const computed = computedRelationships(relations, routines);
  const detected = [...keys.flatMap(bothWays), ...manyToMany(keys)];
  const overridden = new Set(computed.map(({ origin, name }) => `${origin.oid} ${name}`));
  return [
    ...computed,
    ...detected.filter(({ origin, target }) => !overridden.has(`${origin.oid} ${target.name}`)),
  ];
}

function exposedKeys(
  relations: readonly Relation[],
  rows: readonly ForeignKeyRow[],
  lineages: ReadonlyMap<string, ColumnLineage>,
): ForeignKey[] {
  const named = relations.map((relation) => ({
    relation,
    names: columnNames(relation, lineages.get(relation.oid)),
  }));
  const standsFor = (oid: string): typeof named => named.filter(({ names }) => names.has(oid));
  return rows.flatMap(({ name, fromOid, toOid, pairs, oneToOne }) =>
    standsFor(fromOid).flatMap((from) =>
      standsFor(toOid).flatMap((to) => {
        const columns = pairs.map(([own, other]) => [
          from.names.get(fromOid)?.get(own),
          to.names.get(toOid)?.get(other),
        ]);
        // A view has the key only when it shows all of its columns.
        if (columns.some(([own, other]) => own === undefined || other === undefined)) return [];
        return [
          { name, from: from.relation, to: to.relation, pairs: columns as [string, string][], oneToOne },
        ];
      }),
    ),
  );
}

/** Column names by table oid and column number: of the relation itself, or of the tables that a view shows. */
function columnNames(
  relation: Relation,
  lineage: ColumnLineage | undefined,
): Map<string, Map<number, string>> {
  const names = new Map<string, Map<number, string>>();
  for (const column of relation.columns.values()) {
    const origin = lineage ? lineage.get(column.number) : { oid: relation.oid, column: column.number };
    if (!origin) continue;
    const known = names.get(origin.oid) ?? new Map<number, string>();
    if (!known.has(origin.column)) known.set(origin.column, column.name);
    names.set(origin.oid, known);
  }
  return names;
}

function bothWays({ name, from, to, pairs, oneToOne }: ForeignKey): Relationship[] {
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
      pairs: pairs.map(([own, other]) => [other, own]),
      toOne: oneToOne,
      ownsKey: false,
    },
  ];
}

/** A junction's two keys together lie inside its primary key. */
function manyToMany(keys: readonly ForeignKey[]): Relationship[] {
  const byJunction = groupBy(keys, ({ from }) => from);
  return [...byJunction].flatMap(([junction, own]) =>
    own.flatMap((first) =>
      own
        .filter((second) => second !== first && insideKey(junction, first, second))
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
            originPairs: first.pairs.map(([own, other]) => [other, own]),
            targetPairs: second.pairs.map(([own, other]) => [other, own]),
          },
        })),
    ),
  );
}

function insideKey(junction: Relation, first: ForeignKey, second: ForeignKey): boolean {
  if (first.name === second.name) return false;
  return [...first.pairs, ...second.pairs].every(([column]) => junction.primaryKey.includes(column));
}

/** Functions from one relation's row to rows of another. */
function computedRelationships(relations: readonly Relation[], routines: readonly Routine[]): Relationship[] {
  return routines.flatMap((routine) => {
    const origin = relations.find(({ oid }) => oid === routine.rowOf);
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
