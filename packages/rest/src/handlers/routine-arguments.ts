/**
 * Reads the arguments of a function call. In the list of values they follow the values of the query and precede
 * `max-affected`.
 */
import type { RoutineCallArguments } from '../check/resolve-routine.ts';
import type { CallArguments } from '../compile/call.ts';
import { arrayLiteral } from '../parse/array-literal.ts';
import { parseFormPairs } from '../parse/csv-and-form.ts';
import type { ParsedRequest } from '../parse/parse-request.ts';
import type { QueryTokens } from '../parse/query-tokens.ts';
import { decodeBody, emptyOrInvalidError, type BodyType } from '../parse/request-body.ts';
import { parseNames } from '../parse/select.ts';
import type { Slot, SlotValue } from '../plan/query-types.ts';
import type { Routine } from '../schema/routines.ts';

/** The arguments of a function call. */
export interface RoutineInput {
  readonly given: RoutineCallArguments;
  /** Body text; null if each argument is a separate text: GET, HEAD and forms. */
  readonly body: string | null;
  /** Separate texts by argument name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const acceptedBodyTypes: readonly BodyType[] = ['json', 'form', 'text', 'xml', 'bytea'];

/**
 * Reads the arguments from the query or the body.
 *
 * @throws RestError 400 PGRST102 for an unsupported content type or a malformed body
 */
export async function readRoutineInput(
  { method, headers }: ParsedRequest,
  tokens: QueryTokens,
  readBody: () => Promise<ArrayBuffer>,
): Promise<RoutineInput> {
  if (method !== 'POST') return textArguments(tokens.parameters);
  const { type, text } = decodeBody(await readBody(), headers.get('content-type'), acceptedBodyTypes);
  if (type === 'form') return textArguments(parseFormPairs(text).map(([name, value]) => ({ name, value })));
  if (type !== 'json') return { given: { names: [], bodyType: type }, body: text, values: new Map() };
  const body = text === '' ? '{}' : text;
  const names = tokens.columns === null ? listKeys(body) : parseNames(tokens.columns, 'columns parameter');
  return { given: { names, bodyType: type }, body, values: new Map() };
}

function textArguments(pairs: QueryTokens['parameters']): RoutineInput {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const existing = values.get(name);
    if (existing) existing.push(value);
    else values.set(name, [value]);
  }
  return { given: { names: [...values.keys()], bodyType: null }, body: null, values };
}

function listKeys(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw emptyOrInvalidError('json');
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}

/** Returns the slot of `max-affected`, which follows the arguments. */
export function maxAffectedSlot({ values }: QueryTokens, { given, body }: RoutineInput): Slot {
  return values.length + (body === null ? given.names.length : 1);
}

/**
 * Returns the slots of the arguments.
 *
 * @param wholeBody true if the body is the only argument, as returned by `resolveRoutine`
 */
export function routineArguments(
  { values }: QueryTokens,
  { given: { names }, body }: RoutineInput,
  wholeBody: boolean,
): CallArguments {
  const firstSlot = values.length;
  if (body !== null) return { kind: 'body', slot: firstSlot, names, wholeBody };
  if (names.length === 0) return { kind: 'none' };
  return { kind: 'values', slots: new Map(names.map((name, index) => [name, firstSlot + index])) };
}

/** Returns all values: of the query, of the arguments, and `max-affected`. */
export function routineValues(
  { values }: QueryTokens,
  input: RoutineInput,
  routine: Routine,
  maxAffected: number | null,
): SlotValue[] {
  const argumentValues = input.body === null ? argumentTexts(input, routine) : [input.body];
  return [...values, ...argumentValues, maxAffected];
}

/** Returns one text per argument. Repeated and variadic arguments become array literals. */
function argumentTexts({ given, values }: RoutineInput, { arguments: args }: Routine): SlotValue[] {
  const variadic = new Set(args.filter((argument) => argument.variadic).map(({ name }) => name));
  return given.names.map((name) => {
    const texts = values.get(name) ?? [];
    const [only] = texts;
    const isList = texts.length > 1 || (variadic.has(name) && !only?.startsWith('{'));
    return isList ? arrayLiteral(texts) : (only ?? null);
  });
}
