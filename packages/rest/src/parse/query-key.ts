/** The name of a query parameter: names and a keyword, separated by dots; names in quotes can contain any character. */
/** A name in a key. */
export interface KeySegment {
  readonly text: string;
  /** True for a name in quotes, which is never a keyword. */
  readonly isQuoted: boolean;
}

/** Returns the text of a segment that can be a keyword, such as `limit`; null for a quoted name. */
export function toKeyword(segment: KeySegment | undefined): string | null {
  return segment === undefined || segment.isQuoted ? null : segment.text;
}

/** Splits a key at dots outside quotes. */
export function splitKey(key: string): KeySegment[] {
  if (!key.includes('"')) return key.split('.').map((text) => ({ text, isQuoted: false }));
  const segments: KeySegment[] = [];
  let current = '';
  let quoted = false;
  let isQuoted = false;
  for (let index = 0; index < key.length; index += 1) {
    const character = key.charAt(index);
    if (character === '\\' && quoted) {
      current += key.charAt(index + 1);
      index += 1;
    } else if (character === '"') [quoted, isQuoted] = [!quoted, true];
    else if (character === '.' && !quoted) {
      segments.push({ text: current, isQuoted });
      [current, isQuoted] = ['', false];
    } else current += character;
  }
  return [...segments, { text: current, isQuoted }];
}

/** Keywords of parameters that are not filters. */
const keywords = new Set(['select', 'columns', 'on_conflict', 'order', 'limit', 'offset', 'and', 'or']);

/** Returns the parameter that filters by a column; in quotes if the name would have another meaning. */
export const formatKey = (column: string): string =>
  /^[\p{L}\p{N}_$ ]+$/u.test(column) && !keywords.has(column)
    ? column
    : `"${column.replace(/["\\]/g, '\\$&')}"`;
