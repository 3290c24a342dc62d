/**
 * Returns the nesting depth of a JSON text without parsing it. Postgres parses JSON recursively: about ten thousand
 * brackets exhaust the stack of the embedded engine, which then restarts and interrupts all requests.
 */
export const jsonDepth = (text: string): number => jsonShape(text).depth;

/** Returns the depth and the number of objects: parsing an empty object takes about as long as parsing a small row. */
export function jsonShape(text: string): { readonly depth: number; readonly objects: number } {
  let objects = 0;
  let depth = 0;
  let maxDepth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      maxDepth = Math.max(maxDepth, (depth += 1));
      if (character === '{') objects += 1;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return { depth: maxDepth, objects };
}

/** Returns the nesting depth of any text. Brackets in strings count too, because a value can be quoted JSON. */
export function bracketDepth(text: string): number {
  let depth = 0;
  let maxDepth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) maxDepth = Math.max(maxDepth, (depth += 1));
    else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
  }
  return maxDepth;
}
