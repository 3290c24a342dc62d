/**
 * Reads and writes the query of the URL as plain text. The defaults of TanStack Router parse each value as JSON, which
 * turns a search for `662E41` into a number and back into other text.
 */

/** @returns each param as text; the last one if a name occurs several times */
export const parseUrlSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** @returns the query with `?`, or an empty text; params with the value undefined are left out */
export const stringifyUrlSearch = (search: Readonly<Record<string, unknown>>): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params.size === 0 ? '' : `?${params}`;
};
