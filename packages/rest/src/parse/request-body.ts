/**
 * Decodes and checks request bodies. The text is sent to Postgres unchanged, so large integers and decimals keep their
 * precision.
 */
import { jsonShape } from '@lanternrock/postgres/json-depth';
import { RestError } from '../errors.ts';

/** Maximum nesting depth of a body. Deeper bodies are rejected before they are parsed. */
export const maxBodyDepth = 64;

/** Maximum number of objects in a body. 1 MB of `{}` takes seven times as long to parse. */
const maxObjects = 50_000;

/** Supported types of bodies. */
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
  /** Decoded text; bytes in the hex format of Postgres, `\x…`. */
  readonly text: string;
}

export interface JsonBody {
  /** JSON as received, or converted from another type. */
  readonly text: string;
  readonly isArray: boolean;
  /** Keys of the object, or of all objects of the array; null if `columns` names them. */
  readonly keys: readonly string[] | null;
}

export const emptyOrInvalidError = (type: BodyType): RestError =>
  new RestError(400, 'PGRST102', `Empty or invalid ${type}`);

/** Creates the error for a body or a value that is nested too deeply. */
export const nestingError = (type: BodyType): RestError =>
  new RestError(400, 'PGRST102', `The ${type} is nested deeper than ${maxBodyDepth} levels`);

/**
 * Decodes a body of one of the accepted types. The default type is JSON.
 *
 * @throws RestError 400 PGRST102 for another type, another charset or broken UTF-8
 */
export function decodeBody(
  bytes: ArrayBuffer,
  contentType: string | null,
  accepted: readonly BodyType[],
): TypedBody {
  const [name = '', ...parameters] = (contentType ?? 'application/json')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((parameter) => parameter === '' || /^charset="?utf-8"?$/.test(parameter));
  const type = bodyTypes.get(name);
  if (type === undefined || !accepted.includes(type) || !isUtf8) {
    throw new RestError(400, 'PGRST102', `Content-Type not acceptable: ${contentType}`);
  }
  if (type === 'bytea') return { type, text: `\\x${Buffer.from(bytes).toString('hex')}` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw emptyOrInvalidError(type);
  }
  // Postgres does not support NUL in text.
  if (text.includes('\0')) throw emptyOrInvalidError(type);
  if (type === 'json') requireParseableJson(text);
  return { type, text };
}

/** Rejects bodies that are expensive to parse, in the service or in Postgres. */
function requireParseableJson(text: string): void {
  const { depth, objects } = jsonShape(text);
  if (depth > maxBodyDepth) throw nestingError('json');
  if (objects <= maxObjects) return;
  throw new RestError(400, 'PGRST102', `A JSON body accepts at most ${maxObjects} objects`, {
    details: `It has ${objects}.`,
    hint: 'Send several smaller requests.',
  });
}

/**
 * Returns the keys of a JSON body.
 *
 * @param hasColumnsParameter true if `columns` names the keys; the body is then not parsed
 * @throws RestError 400 PGRST102
 */
export function parseJsonBody(text: string, hasColumnsParameter: boolean): JsonBody {
  if (hasColumnsParameter) {
    const firstCharacter = /\S/.exec(text)?.[0];
    if (firstCharacter === undefined) throw emptyOrInvalidError('json');
    return { text, isArray: firstCharacter !== '{', keys: null };
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
  const unequalKeysError = (): RestError => new RestError(400, 'PGRST102', 'All object keys must match');
  const [first] = elements;
  if (first === undefined) return [];
  if (!isObject(first)) throw unequalKeysError();
  const keys = Object.keys(first);
  const expectedKeys = new Set(keys);
  for (const element of elements) {
    if (!isObject(element)) throw unequalKeysError();
    const elementKeys = Object.keys(element);
    if (elementKeys.length !== keys.length || !elementKeys.every((key) => expectedKeys.has(key)))
      throw unequalKeysError();
  }
  return keys;
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
