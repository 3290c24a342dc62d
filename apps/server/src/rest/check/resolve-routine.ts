/** Which function a call means; wire contract "RPC" and codes PGRST202, PGRST203. */
import { ApiError } from '../../errors.ts';
import { checkRead } from './read.ts';
import type { CheckContext, ReadRows } from './lookups.ts';
import { parseSelect } from '../parse/select.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import type { ReadLevel } from '../plan/read-plan.ts';
import type { BodyType } from '../parse/request-body.ts';
import { isUsable } from '../schema/grants.ts';
import { unnamedArgument, type Routine } from '../schema/routines.ts';
import { findClosestName } from './similarity.ts';

/** Argument names as a request gives them. */
export interface RoutineCallArguments {
  readonly names: readonly string[];
  /** Type of a body that as a whole may be the only, unnamed argument; null where there is none. */
  readonly whole: BodyType | null;
}

export interface ResolvedRoutine {
  readonly routine: Routine;
  /** The body is the argument. */
  readonly wholeBody: boolean;
}

/** @throws ApiError 404 PGRST202 for none, 300 PGRST203 for several */
export function resolveRoutine(
  context: CheckContext,
  name: string,
  given: RoutineCallArguments,
): ResolvedRoutine {
  const overloads = executableRoutines(context, name);
  // Only JSON names arguments; a body of another type is one argument or none.
  const named = given.whole === null || given.whole === 'json';
  const fitting = named ? overloads.filter((routine) => fits(routine, given)) : [];
  const candidates =
    fitting.length > 0 ? fitting : overloads.filter((routine) => takesWholeBody(routine, given.whole));
  const [routine, ...others] = candidates;
  if (!routine) throw noRoutine(context, name, given, overloads);
  if (others.length > 0) throw ambiguous(candidates);
  return { routine, wholeBody: given.whole !== null && unnamedArgument(routine) !== null };
}

/** Functions that the role may not execute are answered as unknown. */
export function executableRoutines({ cache, schema, role }: CheckContext, name: string): Routine[] {
  return cache.routines(schema, name).filter(({ grants }) => isUsable(grants, role));
}

/**
 * Required arguments are given, and nothing else than its arguments. A body `{"": …}` gives the one
 * without a name, and is its value as a whole; no other request has a place for it.
 */
function fits({ arguments: known }: Routine, { names, whole }: RoutineCallArguments): boolean {
  if (whole === null && names.includes('')) return false;
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

function ambiguous(routines: readonly Routine[]): ApiError {
  const signatures = routines.map(
    ({ schema, name, arguments: known }) =>
      `${schema}.${name}(${known.map((argument) => `${argument.name} => ${argument.type}`).join(', ')})`,
  );
  return new ApiError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

/** @param given null before the arguments were read: the role knows no function of this name */
export function noRoutine(
  { cache, schema, role }: CheckContext,
  name: string,
  given: RoutineCallArguments | null,
  overloads: readonly Routine[],
): ApiError {
  const names = given?.names ?? [];
  const { message, details } = describeMissing(`${schema}.${name}`, given);
  return new ApiError(404, 'PGRST202', message, {
    details: `Searched for the function ${details}, but no matches were found in the schema cache.`,
    hint: routineHint(
      [...cache.routinesOf(schema)].filter((routine) => routine.visibleTo.has(role)),
      name,
      names,
      overloads.filter((routine) => routine.visibleTo.has(role)),
    ),
  });
}

function describeMissing(
  name: string,
  given: RoutineCallArguments | null,
): { readonly message: string; readonly details: string } {
  const message = (called: string): string => `Could not find the function ${called} in the schema cache`;
  if (given === null) return { message: message(name), details: name };
  const { names, whole } = given;
  const unnamed = `with a single unnamed ${whole === 'json' ? 'json/jsonb' : whole} parameter`;
  const none = whole === null || whole === 'json' ? 'without parameters' : unnamed;
  const listed = listOf(names);
  const parameters = names.length === 0 ? none : `with parameter${names.length > 1 ? 's' : ''} ${listed}`;
  const body = whole === 'json' ? ` or ${unnamed}` : '';
  const called = names.length > 0 ? `(${listed})` : none === unnamed ? '' : ` ${none}`;
  return {
    message: message(`${name}${called}`),
    details: `${name} ${parameters}${body}`,
  };
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
    const meant = findClosestName(
      name,
      visible.map((routine) => routine.name),
    );
    return meant === null ? null : `Perhaps you meant to call the function ${visible[0]?.schema}.${meant}`;
  }
  // Sorted, because the order of named arguments means nothing.
  const listed = (given: readonly string[]): string => `(${given.toSorted().join(', ')})`;
  const lists = overloads.map((routine) => listed(routine.arguments.map((argument) => argument.name)));
  const meant = findClosestName(listed(names), lists);
  return meant === null
    ? null
    : `Perhaps you meant to call the function ${overloads[0]?.schema}.${name}${meant}`;
}

/** What a call reads of its result. */
export function checkRoutineResult(
  context: CheckContext,
  routine: Routine,
  tokens: QueryTokens,
  embedDepth: number,
): ReadLevel {
  const rows: ReadRows = {
    relation: routine.relation,
    isReturned: true,
    columnNames: routine.result === 'row' ? routine.columns : ['value'],
  };
  const select = routine.result === 'row' ? (tokens.select ?? '') : 'value';
  return checkRead(context, rows, parseSelect(select, { depth: embedDepth }), tokens);
}
