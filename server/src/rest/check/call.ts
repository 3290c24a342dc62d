/** Which function a call means; wire contract "RPC" and codes PGRST202, PGRST203. */
import { Refusal } from '../../errors.ts';
import { checkRead, type RootRows } from './read.ts';
import type { CheckContext } from './names.ts';
import { parseSelect } from '../parse/select.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { Level } from '../plan/read-plan.ts';
import type { BodyType } from '../parse/request-body.ts';
import { unnamedArgument, type Routine } from '../schema/routines.ts';
import { closest } from './similarity.ts';

/** Argument names as a request gives them. */
export interface GivenArguments {
  readonly names: readonly string[];
  /** Type of a body that as a whole may be the only, unnamed argument; null where there is none. */
  readonly whole: BodyType | null;
}

export interface ChosenRoutine {
  readonly routine: Routine;
  /** The body is the argument. */
  readonly wholeBody: boolean;
}

/** @throws Refusal 404 PGRST202 for none, 300 PGRST203 for several */
export function chooseRoutine(context: CheckContext, name: string, given: GivenArguments): ChosenRoutine {
  const overloads = context.cache.routines(context.schema, name);
  // Only JSON names arguments; a body of another type is one argument or none.
  const named = given.whole === null || given.whole === 'json';
  const [only, ...others] = named ? overloads.filter((routine) => fits(routine, given.names)) : [];
  if (only && others.length === 0) return { routine: only, wholeBody: false };
  if (only) throw ambiguous([only, ...others]);
  const unnamed = overloads.filter((routine) => takesWholeBody(routine, given.whole));
  if (unnamed.length === 1 && unnamed[0]) return { routine: unnamed[0], wholeBody: true };
  throw noRoutine(context, name, given, overloads);
}

/** Required arguments are given, and nothing else than its arguments. */
function fits({ arguments: known }: Routine, names: readonly string[]): boolean {
  if (known.some((argument) => argument.name === '')) return false;
  const given = new Set(names);
  return (
    known.every((argument) => !argument.required || given.has(argument.name)) &&
    names.every((name) => known.some((argument) => argument.name === name))
  );
}

function takesWholeBody(routine: Routine, whole: BodyType | null): boolean {
  const type = unnamedArgument(routine);
  return type !== null && (type === whole || (type === 'jsonb' && whole === 'json'));
}

function ambiguous(routines: readonly Routine[]): Refusal {
  const signatures = routines.map(
    ({ schema, name, arguments: known }) =>
      `${schema}.${name}(${known.map((argument) => `${argument.name} => ${argument.type}`).join(', ')})`,
  );
  return new Refusal(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

function noRoutine(
  { cache, schema, role }: CheckContext,
  name: string,
  { names, whole }: GivenArguments,
  overloads: readonly Routine[],
): Refusal {
  const unnamed = `with a single unnamed ${whole === 'json' ? 'json/jsonb' : whole} parameter`;
  const none = whole === null || whole === 'json' ? 'without parameters' : unnamed;
  const listed = listOf(names);
  const parameters = names.length === 0 ? none : `with parameter${names.length > 1 ? 's' : ''} ${listed}`;
  const body = whole === 'json' ? ` or ${unnamed}` : '';
  const message = `Could not find the function ${schema}.${name}${names.length > 0 ? `(${listed})` : ` ${none}`} in the schema cache`;
  return new Refusal(404, 'PGRST202', message, {
    details: `Searched for the function ${schema}.${name} ${parameters}${body}, but no matches were found in the schema cache.`,
    hint: routineHint(
      [...cache.routinesOf(schema)].filter((routine) => routine.visibleTo.has(role)),
      name,
      names,
      overloads.filter((routine) => routine.visibleTo.has(role)),
    ),
  });
}

/** Names in a message, as many as somebody may read. */
const listOf = (names: readonly string[]): string =>
  names.length <= 100 ? names.join(', ') : `${names.slice(0, 100).join(', ')} and ${names.length - 100} more`;

function routineHint(
  visible: readonly Routine[],
  name: string,
  names: readonly string[],
  overloads: readonly Routine[],
): string | null {
  if (overloads.length === 0) {
    const meant = closest(
      name,
      visible.map((routine) => routine.name),
    );
    return meant === null ? null : `Perhaps you meant to call the function ${visible[0]?.schema}.${meant}`;
  }
  const lists = overloads.map((routine) => routine.arguments.map((argument) => argument.name).join(', '));
  const meant = closest(names.join(', '), lists);
  return meant === null
    ? null
    : `Perhaps you meant to call the function ${overloads[0]?.schema}.${name}(${meant})`;
}

/** What a call reads of its result. */
export function checkCallResult(
  context: CheckContext,
  routine: Routine,
  tokens: QueryTokens,
  embedDepth: number,
): Level {
  const rows: RootRows = {
    relation: routine.relation,
    columnNames: routine.result === 'row' ? routine.columns : ['value'],
  };
  const select = routine.result === 'row' ? (tokens.select ?? '') : 'value';
  return checkRead(context, rows, parseSelect(select, { depth: embedDepth }), tokens);
}
