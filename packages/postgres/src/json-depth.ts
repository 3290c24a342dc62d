/**
 * How deeply a JSON text is nested, without parsing it. Postgres parses recursively: some ten thousand
 * brackets exhaust the embedded engine's stack, which costs everybody a restart of it.
 */
export const jsonDepth = (text: string): number => jsonShape(text).depth;

/** Returns the depth, and the number of objects: parsing takes about as long for an empty one as for a small row. */
export function jsonShape(text: string): { readonly depth: number; readonly objects: number } {
  let objects = 0;
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      deepest = Math.max(deepest, (depth += 1));
      if (character === '{') objects += 1;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return { depth: deepest, objects };
}

/** The same for text of any kind, where brackets count everywhere: a value may be quoted once more inside. */
export function bracketDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if ('([{'.includes(character)) deepest = Math.max(deepest, (depth += 1));
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
  }
  return deepest;
}
