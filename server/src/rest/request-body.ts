/**
 * What the server has to know of a request body. The text itself goes to Postgres unchanged, so that
 * big integers and decimals arrive exactly as they were sent.
 */
import { Refusal } from '../errors.ts';
import { jsonDepth } from '../json-depth.ts';

/** Deeper bodies are refused before anything parses them. */
const deepestBody = 64;

export interface JsonBody {
  /** Exactly as received. */
  readonly text: string;
  readonly isArray: boolean;
  /** Keys of the object, or of every object of the array; null when `columns` names them. */
  readonly keys: readonly string[] | null;
  /** True for an array without elements. */
  readonly isEmpty: boolean;
}

const emptyOrInvalid = (): Refusal => new Refusal(400, 'PGRST102', 'Empty or invalid json');

/**
 * Decodes a body that must be JSON.
 * @throws Refusal 400 PGRST102 for another type, another charset or broken UTF-8
 */
export function decodeJson(bytes: ArrayBuffer, contentType: string | null): string {
  const [type = '', ...parameters] = (contentType ?? 'application/json')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const plain = parameters.every((parameter) => parameter === '' || /^charset="?utf-8"?$/.test(parameter));
  if (type !== 'application/json' || !plain) {
    throw new Refusal(400, 'PGRST102', `Content-Type not acceptable: ${contentType}`);
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw emptyOrInvalid();
  }
  // Postgres has no text with this character, not even inside a string.
  if (text.includes('\0')) throw emptyOrInvalid();
  if (jsonDepth(text) > deepestBody) {
    throw new Refusal(400, 'PGRST102', `The json is nested deeper than ${deepestBody} levels`);
  }
  return text;
}

/**
 * Learns the keys of a body.
 * @param named true when `columns` names the keys: then the body is not parsed here
 * @throws Refusal 400 PGRST102
 */
export function inspectBody(text: string, named: boolean): JsonBody {
  if (named) {
    const first = /\S/.exec(text)?.[0];
    if (first === undefined) throw emptyOrInvalid();
    return { text, isArray: first !== '{', keys: null, isEmpty: false };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw emptyOrInvalid();
  }
  if (Array.isArray(value))
    return { text, isArray: true, keys: commonKeys(value), isEmpty: value.length === 0 };
  if (value === null || typeof value !== 'object')
    return { text: '[]', isArray: true, keys: [], isEmpty: true };
  return { text, isArray: false, keys: Object.keys(value), isEmpty: false };
}

function commonKeys(elements: readonly unknown[]): string[] {
  const unequal = (): Refusal => new Refusal(400, 'PGRST102', 'All object keys must match');
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
