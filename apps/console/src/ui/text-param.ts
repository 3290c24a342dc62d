/**
 * Returns the text of a search param of the URL; undefined if it is absent or empty. Accepts the numeric ID of a row, too.
 *
 * @param maxLength in UTF-16 code units; a character is never cut in two
 */
export const textParam = (value: unknown, maxLength: number): string | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value)
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '');
  return text === '' ? undefined : text;
};
