/** Functions as the data interface sees them. */
import type { DatabaseRole } from '../../principal.ts';
import type { Grants } from './grants.ts';
import { parseTimeoutMs } from './parse-timeout.ts';
import type { Relation } from './relation.ts';

interface RoutineArgument {
  readonly name: string;
  /** With schema, without length. */
  readonly type: string;
  readonly required: boolean;
  readonly variadic: boolean;
}

export interface Routine {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly arguments: readonly RoutineArgument[];
  readonly readOnly: boolean;
  /** Milliseconds that its own settings allow for a call; null where they say nothing. */
  readonly timeLimit: number | null;
  readonly returnsSet: boolean;
  readonly result: 'void' | 'scalar' | 'row';
  /** The relation whose rows are returned, so that they can embed. */
  readonly relation: Relation | null;
  /** Names of a returned row's columns. */
  readonly columns: readonly string[];
  /** For functions of one row argument: the relation's oid. */
  readonly rowOf: string | null;
  /** At most one row per call. */
  readonly single: boolean;
  readonly visibleTo: ReadonlySet<DatabaseRole>;
  readonly grants: Grants;
}

export interface RoutineRow {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly volatility: string;
  readonly statementTimeout: string | null;
  readonly returnsSet: boolean;
  readonly rows: number;
  readonly required: number;
  readonly arguments: readonly { name: string; type: string; mode: string; relation: string }[];
  readonly returnKind: string;
  readonly returnName: string;
  readonly returnRelation: string;
  readonly returnColumns: readonly string[];
  readonly visibleTo: readonly DatabaseRole[];
  readonly grants: Grants;
}

const inputModes = new Set(['i', 'b', 'v']);
const outputModes = new Set(['o', 'b', 't']);

export function deriveRoutines(rows: readonly RoutineRow[], byOid: ReadonlyMap<string, Relation>): Routine[] {
  return rows.map((row) => {
    const inputs = row.arguments.filter(({ mode }) => inputModes.has(mode));
    const outputs = row.arguments.filter(({ mode }) => outputModes.has(mode));
    const table = row.arguments.some(({ mode }) => mode === 't');
    const isRow = row.returnKind === 'c' || (row.returnName === 'record' && outputs.length > 0) || table;
    const [only] = inputs;
    return {
      oid: row.oid,
      schema: row.schema,
      name: row.name,
      arguments: inputs.map(({ name, type, mode }, index) => ({
        name,
        type,
        required: index < row.required && mode !== 'v',
        variadic: mode === 'v',
      })),
      readOnly: row.volatility !== 'v',
      timeLimit: row.statementTimeout === null ? null : parseTimeoutMs(row.statementTimeout),
      returnsSet: row.returnsSet,
      result: row.returnName === 'void' ? 'void' : isRow ? 'row' : 'scalar',
      relation: byOid.get(row.returnRelation) ?? null,
      columns: row.returnKind === 'c' ? row.returnColumns : outputs.map(({ name }) => name),
      rowOf: inputs.length === 1 && only && only.relation !== '0' ? only.relation : null,
      single: !row.returnsSet || row.rows === 1,
      visibleTo: new Set(row.visibleTo),
      grants: row.grants,
    };
  });
}

/** Types of an argument without a name that a whole body can be. */
const wholeTypes = new Set(['json', 'jsonb', 'text', 'xml', 'bytea']);

/** True where a request can give the arguments: each by its name, or one as the whole body. */
export function isCallable(routine: Routine): boolean {
  return routine.arguments.every(({ name }) => name !== '') || wholeTypes.has(unnamedArgument(routine) ?? '');
}

/** Overloads in the order in which a message lists them: fewest arguments first, then by names and types. */
export function bySignature(first: Routine, second: Routine): number {
  const signature = ({ arguments: known }: Routine): string =>
    known.map(({ name, type }) => `${name}\0${type}`).join('\0');
  const [a, b] = [signature(first), signature(second)];
  return first.arguments.length - second.arguments.length || (a < b ? -1 : Number(a > b));
}

/** Type of a single argument without a name, which can only be a whole body; null for all other functions. */
export function unnamedArgument({ arguments: known }: Routine): string | null {
  const [only] = known;
  return known.length === 1 && only?.name === '' ? only.type : null;
}
