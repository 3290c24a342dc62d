/** Resolves the function of a call (PostgREST documentation, "Functions as RPC"). */
import { RestError } from '../errors.ts';
import type { CheckContext } from './lookups.ts';
import type { BodyType } from '../parse/request-body.ts';
import { isUsable } from '../schema/grants.ts';
import { unnamedArgument, type Routine } from '../schema/routines.ts';
import { findClosestName } from './similarity.ts';

/** Arguments that a request contains. */
export interface RoutineCallArguments {
  readonly names: readonly string[];
  /** Type of the body, which as a whole can be the only, unnamed argument; null without a body. */
  readonly bodyType: BodyType | null;
}

export interface ResolvedRoutine {
  readonly routine: Routine;
  /** True if the whole body is the argument. */
  readonly wholeBody: boolean;
}

/**
 * Returns the overload that matches the arguments.
 *
 * @throws RestError 404 PGRST202 for no matching function; 300 PGRST203 for several
 */
export function resolveRoutine(
  context: CheckContext,
  name: string,
  given: RoutineCallArguments,
): ResolvedRoutine {
  const overloads = listExecutableRoutines(context, name);
  // Only JSON bodies contain argument names; a body of another type is a single argument.
  const hasArgumentNames = given.bodyType === null || given.bodyType === 'json';
  const matching = hasArgumentNames ? overloads.filter((routine) => argumentsMatch(routine, given)) : [];
  const candidates =
    matching.length > 0 ? matching : overloads.filter((routine) => acceptsWholeBody(routine, given.bodyType));
  const [routine, ...others] = candidates;
  if (!routine) throw routineNotFoundError(context, name, given, overloads);
  if (others.length > 0) throw ambiguousRoutineError(candidates);
  return { routine, wholeBody: given.bodyType !== null && unnamedArgument(routine) !== null };
}

/** Returns the overloads that the role can execute; others are reported as unknown. */
export function listExecutableRoutines({ cache, schema, role }: CheckContext, name: string): Routine[] {
  return cache.routines(schema, name).filter(({ grants }) => isUsable(grants, role));
}

/**
 * Returns true if all required arguments and no unknown arguments are given. A JSON body `{"": …}` names the unnamed
 * argument and is its whole value; other requests cannot name it.
 */
function argumentsMatch({ arguments: args }: Routine, { names, bodyType }: RoutineCallArguments): boolean {
  if (bodyType === null && names.includes('')) return false;
  const givenNames = new Set(names);
  return (
    args.every((argument) => !argument.required || givenNames.has(argument.name)) &&
    names.every((name) => args.some((argument) => argument.name === name))
  );
}

function acceptsWholeBody(routine: Routine, bodyType: BodyType | null): boolean {
  const type = unnamedArgument(routine);
  return type !== null && (type === bodyType || (type === 'jsonb' && bodyType === 'json'));
}

function ambiguousRoutineError(routines: readonly Routine[]): RestError {
  const signatures = routines.map(
    ({ schema, name, arguments: args }) =>
      `${schema}.${name}(${args.map((argument) => `${argument.name} => ${argument.type}`).join(', ')})`,
  );
  return new RestError(
    300,
    'PGRST203',
    `Could not choose the best candidate function between: ${signatures.join(', ')}`,
    {
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  );
}

/**
 * Creates the error for a call that matches no function.
 *
 * @param given null before the arguments are read: the role can execute no function of this name
 */
export function routineNotFoundError(
  { cache, schema, role }: CheckContext,
  name: string,
  given: RoutineCallArguments | null,
  overloads: readonly Routine[],
): RestError {
  const names = given?.names ?? [];
  const { message, details } = describeMissing(`${schema}.${name}`, given);
  return new RestError(404, 'PGRST202', message, {
    details: `Searched for the function ${details}, but no matches were found in the schema cache.`,
    hint: routineHint(
      schema,
      [...cache.routinesOf(schema)].filter((routine) => routine.visibleTo.includes(role)),
      name,
      names,
      overloads.filter((routine) => routine.visibleTo.includes(role)),
    ),
  });
}

function describeMissing(
  name: string,
  given: RoutineCallArguments | null,
): { readonly message: string; readonly details: string } {
  const toMessage = (called: string): string => `Could not find the function ${called} in the schema cache`;
  if (given === null) return { message: toMessage(name), details: name };
  const { names, bodyType } = given;
  const unnamed = `with a single unnamed ${bodyType === 'json' ? 'json/jsonb' : bodyType} parameter`;
  // Only a JSON body contains argument names; a body of another type is one unnamed argument.
  const isSingle = bodyType !== null && bodyType !== 'json';
  const alternative = bodyType === 'json' ? ` or ${unnamed}` : '';
  if (names.length > 0) {
    const nameList = formatNames(names);
    const parameters = `with parameter${names.length > 1 ? 's' : ''} ${nameList}`;
    return { message: toMessage(`${name}(${nameList})`), details: `${name} ${parameters}${alternative}` };
  }
  if (isSingle) return { message: toMessage(name), details: `${name} ${unnamed}` };
  return {
    message: toMessage(`${name} without parameters`),
    details: `${name} without parameters${alternative}`,
  };
}

/** Formats argument names for a message, up to a readable number. */
const formatNames = (names: readonly string[]): string =>
  names.length <= 100 ? names.join(', ') : `${names.slice(0, 100).join(', ')} and ${names.length - 100} more`;

function routineHint(
  schema: string,
  visible: readonly Routine[],
  name: string,
  names: readonly string[],
  overloads: readonly Routine[],
): string | null {
  if (overloads.length === 0) {
    const suggestion = findClosestName(
      name,
      visible.map((routine) => routine.name),
    );
    return suggestion === null ? null : `Perhaps you meant to call the function ${schema}.${suggestion}`;
  }
  // Sorted, because the order of named arguments is irrelevant.
  const formatList = (given: readonly string[]): string => `(${given.toSorted().join(', ')})`;
  const argumentLists = overloads.map((routine) =>
    formatList(routine.arguments.map((argument) => argument.name)),
  );
  const suggestion = findClosestName(formatList(names), argumentLists);
  return suggestion === null ? null : `Perhaps you meant to call the function ${schema}.${name}${suggestion}`;
}
