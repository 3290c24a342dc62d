/**
 * The arguments of a call: how a request gives them, and where they stand in its list of values: behind
 * those of its query, and in front of the most rows that it may return.
 */
import type { RoutineCallArguments } from './check/resolve-routine.ts';
import type { CallArguments } from './compile/call.ts';
import { arrayLiteral } from './parse/array-literal.ts';
import { parseFormPairs } from './parse/csv-and-form.ts';
import type { RestRequest } from './parse/rest-request.ts';
import type { QueryTokens } from './parse/query-tokens.ts';
import { decodeBody, emptyOrInvalidError, type BodyType } from './parse/request-body.ts';
import { parseNames } from './parse/select.ts';
import type { Slot, SlotValue } from './plan/query-types.ts';
import type { Routine } from './schema/routines.ts';

/** The arguments of one call. */
export interface RoutineInput {
  readonly given: RoutineCallArguments;
  /** The body's text; null where each argument is a text of its own: GET, HEAD and forms. */
  readonly body: string | null;
  /** Those texts by argument name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const callBodies: readonly BodyType[] = ['json', 'form', 'text', 'xml', 'bytea'];

/** @throws ApiError 400 PGRST102 for a body of another type, or of another form than its type says */
export async function readRoutineInput(
  { method, headers }: RestRequest,
  tokens: QueryTokens,
  read: () => Promise<ArrayBuffer>,
): Promise<RoutineInput> {
  if (method !== 'POST') return separateTexts(tokens.parameters);
  const { type, text } = decodeBody(await read(), headers.get('content-type'), callBodies);
  if (type === 'form') return separateTexts(parseFormPairs(text).map(([name, value]) => ({ name, value })));
  if (type !== 'json') return { given: { names: [], whole: type }, body: text, values: new Map() };
  const body = text === '' ? '{}' : text;
  const names = tokens.columns === null ? keysOf(body) : parseNames(tokens.columns, 'columns parameter');
  return { given: { names, whole: type }, body, values: new Map() };
}

function separateTexts(pairs: QueryTokens['parameters']): RoutineInput {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return { given: { names: [...values.keys()], whole: null }, body: null, values };
}

function keysOf(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw emptyOrInvalidError('json');
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}

/** Slot of the most rows, behind those of the arguments. */
export function maxAffectedSlot({ values }: QueryTokens, { given, body }: RoutineInput): Slot {
  return values.length + (body === null ? given.names.length : 1);
}

/** @param wholeBody the body is the only argument, as `resolveRoutine` tells */
export function routineArguments(
  { values }: QueryTokens,
  { given: { names }, body }: RoutineInput,
  wholeBody: boolean,
): CallArguments {
  const first = values.length;
  if (body !== null) return { kind: 'body', slot: first, names, whole: wholeBody };
  if (names.length === 0) return { kind: 'none' };
  return { kind: 'values', slots: new Map(names.map((name, index) => [name, first + index])) };
}

/** The whole list: of the query, of the arguments, and the most rows. */
export function routineValues(
  { values }: QueryTokens,
  input: RoutineInput,
  routine: Routine,
  mostRows: number | null,
): SlotValue[] {
  const own = input.body === null ? argumentTexts(input, routine) : [input.body];
  return [...values, ...own, mostRows];
}

/** A text per argument; one that is given several times, or is variadic, is an array in Postgres' notation. */
function argumentTexts({ given, values }: RoutineInput, { arguments: known }: Routine): SlotValue[] {
  const variadic = new Set(known.filter((argument) => argument.variadic).map(({ name }) => name));
  return given.names.map((name) => {
    const texts = values.get(name) ?? [];
    const [only] = texts;
    const isList = texts.length > 1 || (variadic.has(name) && !only?.startsWith('{'));
    return isList ? arrayLiteral(texts) : (only ?? null);
  });
}
