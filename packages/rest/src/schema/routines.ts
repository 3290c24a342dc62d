/** Derives the callable functions of the schema cache from the rows of the catalog. */
import type { DatabaseRole } from '../rest-types.ts';
import type { Grants } from './grants.ts';
import { parseTimeoutMs } from './parse-timeout.ts';
import type { Relation } from './relation.ts';

interface RoutineArgument {
  readonly name: string;
  /** Type with schema, without length. */
  readonly type: string;
  readonly required: boolean;
  readonly variadic: boolean;
}

export interface Routine {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  /** Empty without a comment. */
  readonly comment: string;
  readonly arguments: readonly RoutineArgument[];
  readonly readOnly: boolean;
  /** `statement_timeout` of the function, in milliseconds; null without this setting. */
  readonly timeoutMs: number | null;
  readonly returnsSet: boolean;
  readonly result: 'void' | 'scalar' | 'row';
  /** The returned relation, which allows embedding; null for other results. */
  readonly relation: Relation | null;
  /** Column names of a returned row. */
  readonly columns: readonly string[];
  /** OID of the relation, for functions whose only argument is a row; null for other functions. */
  readonly rowRelationOid: string | null;
  /** True if a call returns at most one row. */
  readonly single: boolean;
  readonly visibleTo: readonly DatabaseRole[];
  readonly grants: Grants;
}

export interface RoutineRow extends Pick<
  Routine,
  'oid' | 'schema' | 'name' | 'comment' | 'returnsSet' | 'visibleTo' | 'grants'
> {
  readonly volatility: string;
  readonly statementTimeout: string | null;
  readonly rows: number;
  readonly required: number;
  readonly arguments: readonly { name: string; type: string; mode: string; relation: string }[];
  readonly returnKind: string;
  readonly returnName: string;
  /** Base type of a domain, otherwise the type itself, as `format_type` writes it. */
  readonly returnBaseType: string;
  readonly returnRelation: string;
  readonly returnColumns: readonly string[];
}

const inputModes = new Set(['i', 'b', 'v']);
const outputModes = new Set(['o', 'b', 't']);

/** Converts catalog rows to routines. */
export function deriveRoutines(rows: readonly RoutineRow[], byOid: ReadonlyMap<string, Relation>): Routine[] {
  return rows.map((row) => {
    const inputs = row.arguments.filter(({ mode }) => inputModes.has(mode));
    const outputs = row.arguments.filter(({ mode }) => outputModes.has(mode));
    const table = row.arguments.some(({ mode }) => mode === 't');
    const isRow = row.returnKind === 'c' || (row.returnName === 'record' && outputs.length > 0) || table;
    const [input] = inputs;
    return {
      oid: row.oid,
      schema: row.schema,
      name: row.name,
      comment: row.comment,
      arguments: inputs.map(({ name, type, mode }, index) => ({
        name,
        type,
        required: index < row.required && mode !== 'v',
        variadic: mode === 'v',
      })),
      readOnly: row.volatility !== 'v',
      timeoutMs: row.statementTimeout === null ? null : parseTimeoutMs(row.statementTimeout),
      returnsSet: row.returnsSet,
      result: row.returnName === 'void' ? 'void' : isRow ? 'row' : 'scalar',
      relation: byOid.get(row.returnRelation) ?? null,
      columns: row.returnKind === 'c' ? row.returnColumns : outputs.map(({ name }) => name),
      rowRelationOid: inputs.length === 1 && input && input.relation !== '0' ? input.relation : null,
      single: !row.returnsSet || row.rows === 1,
      visibleTo: row.visibleTo,
      grants: row.grants,
    };
  });
}

/** Types of an unnamed argument that can receive the whole body. */
const wholeTypes = new Set(['json', 'jsonb', 'text', 'xml', 'bytea']);

/** Returns true if a request can pass all arguments: by name, or one unnamed argument as the whole body. */
export function isCallable(routine: Routine): boolean {
  return routine.arguments.every(({ name }) => name !== '') || wholeTypes.has(unnamedArgument(routine) ?? '');
}

/**
 * Compares overloads for listing in messages as PostgREST does: by number of arguments, then by comment, then by names and
 * types of the arguments. UTF-8 sorts by code point.
 */
export function bySignature(first: Routine, second: Routine): number {
  const signature = ({ comment, arguments: args }: Routine): Buffer =>
    Buffer.from([comment, ...args.flatMap(({ name, type }) => [name, type])].join('\0'));
  return (
    first.arguments.length - second.arguments.length || Buffer.compare(signature(first), signature(second))
  );
}

/** Returns the type of the only, unnamed argument, which receives the whole body; null for other functions. */
export function unnamedArgument({ arguments: args }: Routine): string | null {
  const [input] = args;
  return args.length === 1 && input?.name === '' ? input.type : null;
}
