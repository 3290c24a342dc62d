/** URL state: the search params of a screen, read and written by one schema per screen. */
import { type NavigateOptions, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

type RawParams = Readonly<Record<string, unknown>>;

/**
 * Names of the params, each with a function that reads it: from text of the URL, or from a value of this app. It returns
 * undefined for an absent or invalid value, so that old links still work, and for the default, which the URL leaves out. All
 * params are passed for one that depends on another.
 */
export type UrlSchema = Readonly<Record<string, (value: unknown, params: RawParams) => unknown>>;

/** The valid params without defaults. */
export type UrlState<Schema extends UrlSchema> = {
  readonly [Name in keyof Schema]?: ReturnType<Schema[Name]> | undefined;
};

/** Maximum length of a search text in UTF-16 code units, which is the maximum length of an account name. */
export const maxSearchLength = 200;

/**
 * Any text, unchanged.
 *
 * @param maxLength in UTF-16 code units; a character is never cut in two
 */
export const textParam =
  (maxLength: number) =>
  (value: unknown): string | undefined =>
    typeof value === 'string'
      ? value.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '') || undefined
      : undefined;

/** One of the options. */
export const optionParam =
  <Option extends string | number>(options: readonly Option[], defaultOption?: Option) =>
  (value: unknown): Option | undefined => {
    const found = options.find((option) => option === value || String(option) === value);
    return found === defaultOption ? undefined : found;
  };

export const flagParam = (value: unknown): true | undefined =>
  value === true || value === 'true' ? true : undefined;

/** Returns the valid params. Absent ones have no key: a key with the value undefined would remove the param from a link. */
export const parseUrlState = <Schema extends UrlSchema>(
  schema: Schema,
  params: RawParams,
): UrlState<Schema> => {
  const state: Partial<Record<string, unknown>> = {};
  for (const [name, read] of Object.entries(schema)) {
    const value = read(params[name], params);
    if (value !== undefined) state[name] = value;
  }
  return state as UrlState<Schema>;
};

interface ChangeOptions {
  /** Replaces the current history entry, for example while typing. */
  readonly replace?: boolean;
  /** Skips the confirmation for unsaved input. */
  readonly confirmed?: boolean;
}

/** Sets the given params; undefined removes a param. */
export type ChangeUrlState<Schema extends UrlSchema> = (
  next: UrlState<Schema>,
  options?: ChangeOptions,
) => void;

/**
 * Reads and changes the URL state of a screen.
 *
 * @param path path of the screen, which a change opens
 * @param schema a constant
 */
export const useUrlState = <Schema extends UrlSchema>(
  path: NonNullable<NavigateOptions['to']>,
  schema: Schema,
): { readonly search: UrlState<Schema>; readonly change: ChangeUrlState<Schema> } => {
  // The params of any screen, as text. The schema gives them their types.
  const params: RawParams = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = useMemo(() => parseUrlState(schema, params), [schema, params]);
  const change = useCallback<ChangeUrlState<Schema>>(
    (next, { replace = false, confirmed = false } = {}) => {
      void navigate({
        to: path,
        search: (previous: RawParams) => parseUrlState(schema, { ...previous, ...next }),
        replace,
        ignoreBlocker: confirmed,
        // Filters, panels and dialogs do not change the scroll position.
        resetScroll: false,
      });
    },
    [navigate, path, schema],
  );
  return { search, change };
};

/**
 * Returns each param of the query as text; the last one if a name occurs several times. The defaults of TanStack Router
 * parse each value as JSON, which turns a search for `662E41` into a number and back into other text.
 */
export const parseUrlSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query));

/** Returns the query with `?`, or an empty text; params with the value undefined are left out. */
export const stringifyUrlSearch = (search: RawParams): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params.size === 0 ? '' : `?${params}`;
};
