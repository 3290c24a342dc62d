/**
 * What the server has to know of a request body. The text itself goes to Postgres unchanged, so that
 * big integers and decimals arrive exactly as they were sent.
 */
import { jsonShape } from '@lanternrock/postgres/json-depth';
import { ApiError } from '../../errors.ts';

/** Deeper bodies are refused before anything parses them. */
export const maxBodyDepth = 64;

/** Objects of one body: 1 MB of `{}` takes seven times as long to parse. */
const maxObjects = 50_000;

/** What a body is; wire contract "Accept and Content-Type". */
export type BodyType = 'json' | 'csv' | 'form' | 'text' | 'xml' | 'bytea';

const bodyTypes: ReadonlyMap<string, BodyType> = new Map([
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['application/x-www-form-urlencoded', 'form'],
  ['text/plain', 'text'],
  ['text/xml', 'xml'],
  ['application/octet-stream', 'bytea'],
]);

export interface TypedBody {
  readonly type: BodyType;
  /** Bytes are spelled as Postgres reads them, `\x…`. */
  readonly text: string;
}

export interface JsonBody {
  /** JSON exactly as received, or what another form of body says. */
  readonly text: string;
  readonly isArray: boolean;
  /** Keys of the object, or of every object of the array; null when `columns` names them. */
  readonly keys: readonly string[] | null;
}

export const emptyOrInvalidError = (type: BodyType): ApiError =>
  new ApiError(400, 'PGRST102', `Empty or invalid ${type}`);

/** A body, or a value in it, that Postgres would have to parse too deeply. */
export const nestingError = (type: BodyType): ApiError =>
  new ApiError(400, 'PGRST102', `The ${type} is nested deeper than ${maxBodyDepth} levels`);

/**
 * Decodes a body of one of the accepted types; without a type it is JSON.
 * @throws ApiError 400 PGRST102 for another type, another charset or broken UTF-8
 */
export function decodeBody(
  bytes: ArrayBuffer,
  contentType: string | null,
  accepted: readonly BodyType[],
): TypedBody {
  const [name = '', ...parameters] = (contentType ?? 'application/json')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const plain = parameters.every((parameter) => parameter === '' || /^charset="?utf-8"?$/.test(parameter));
  const type = bodyTypes.get(name);
  if (type === undefined || !accepted.includes(type) || !plain) {
    throw new ApiError(400, 'PGRST102', `Content-Type not acceptable: ${contentType}`);
  }
  if (type === 'bytea') return { type, text: `\\x${Buffer.from(bytes).toString('hex')}` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw emptyOrInvalidError(type);
  }
  // Postgres has no text with this character, not even inside a string.
  if (text.includes('\0')) throw emptyOrInvalidError(type);
  if (type === 'json') requireParsable(text);
  return { type, text };
}

/** Rejects a body that would take long to parse, here or in Postgres. */
function requireParsable(text: string): void {
  const { depth, objects } = jsonShape(text);
  if (depth > maxBodyDepth) throw nestingError('json');
  if (objects <= maxObjects) return;
  throw new ApiError(400, 'PGRST102', `The json takes at most ${maxObjects} objects`, {
    details: `It has ${objects}.`,
    hint: 'Send several smaller requests.',
  });
}

/**
 * Learns the keys of a JSON body.
 * @param named true when `columns` names the keys: then the body is not parsed here
 * @throws ApiError 400 PGRST102
 */
export function parseJsonBody(text: string, named: boolean): JsonBody {
  if (named) {
    const first = /\S/.exec(text)?.[0];
    if (first === undefined) throw emptyOrInvalidError('json');
    return { text, isArray: first !== '{', keys: null };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw emptyOrInvalidError('json');
  }
  if (Array.isArray(value)) return { text, isArray: true, keys: commonKeys(value) };
  if (value === null || typeof value !== 'object') return { text: '[]', isArray: true, keys: [] };
  return { text, isArray: false, keys: Object.keys(value) };
}

function commonKeys(elements: readonly unknown[]): string[] {
  const unequal = (): ApiError => new ApiError(400, 'PGRST102', 'All object keys must match');
  const [first] = elements;
  if (first === undefined) return [];
  if (!isObject(first)) throw unequal();
  const keys = Object.keys(first);
  const known = new Set(keys);
  for (const element of elements) {
    if (!isObject(element)) throw unequal();
    const own = Object.keys(element);
    if (own.length !== keys.length || !own.every((key) => known.has(key))) throw unequal();
  }
  return keys;
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
