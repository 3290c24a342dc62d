/** Queries of the activity: pages of entries, newest first, and its users. Not part of the initial bundle. */
import type {
  ActivityEntry,
  ActivityFilter,
  ActivityGroup,
  ActivityResponse,
} from '@lanternrock/contract/activity';
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { enabledIf } from '../api/runtime-config.ts';
import { shapeError } from '../api/errors.ts';
import { callFunction } from '../api/functions.ts';

interface ListedActivity extends ActivityFilter {
  /** ID of an entry: the entries of its action. */
  readonly group?: string;
  /** ID of an entry: the list starts with it. */
  readonly newest?: string;
}

/** The position of a page after the first one. */
interface PagePosition {
  readonly before: string;
  /** The first entry of the first page, so that all pages are of the same moment. */
  readonly newest: string;
}

const readPage = async (
  filter: ListedActivity,
  position: PagePosition | undefined,
): Promise<ActivityResponse> => {
  const page = await callFunction('list-activity', { ...filter, ...position });
  if (Array.isArray(page.entries) && page.entries.every(({ further }) => Array.isArray(further))) return page;
  throw shapeError();
};

/**
 * The pages that are shown. They are never refetched, so that the entries stay where they are being read.
 *
 * @param version another value starts again
 */
const pagesQuery = (filter: ListedActivity, version: string) =>
  infiniteQueryOptions({
    queryKey: ['activity', 'pages', filter, version],
    queryFn: ({ pageParam }) => readPage(filter, pageParam),
    initialPageParam: undefined as PagePosition | undefined,
    getNextPageParam: ({ entries, more }, pages): PagePosition | undefined => {
      const [before, newest] = [entries.at(-1)?.id, pages[0]?.entries[0]?.id];
      return more && before !== undefined && newest !== undefined ? { before, newest } : undefined;
    },
    staleTime: 'static',
    placeholderData: keepPreviousData,
  });

/** Milliseconds between two reads of the newest entries, while the page is visible. */
const liveIntervalMs = 5000;

const newestQuery = (filter: ActivityFilter, enabled: boolean) =>
  queryOptions({
    queryKey: ['activity', 'newest', filter],
    queryFn: () => readPage(filter, undefined),
    staleTime: 0,
    // No refetch in the background, which is the default.
    refetchInterval: liveIntervalMs,
    ...enabledIf(enabled),
  });

export const activityPeopleQuery = queryOptions({
  queryKey: ['activity', 'people'],
  queryFn: async () => {
    const { people } = await callFunction('list-activity-people', {});
    if (Array.isArray(people)) return people;
    throw shapeError();
  },
});

export interface ActivityList {
  /** Undefined until the first page has loaded. */
  readonly entries: readonly ActivityGroup[] | undefined;
  /** The error of the first page, or of the next one if there are entries. */
  readonly error: Error | null;
  readonly fetching: boolean;
  /** True while the entries of another filter are shown. */
  readonly outdated: boolean;
  readonly hasMore: boolean;
  readonly loadMore: () => void;
  readonly retry: () => void;
  /** Number of entries since the list was loaded; at most one page. */
  readonly newCount: number;
  /** Shows the new entries. The list starts again with the first page. */
  readonly showNew: () => void;
}

type Pages = InfiniteData<ActivityResponse>;

/** Reads which entry undid an entry; null if the request fails. */
const readUndoneBy = async (entryId: string): Promise<ActivityEntry['undone_by']> => {
  try {
    const { entries } = await callFunction('list-activity', { newest: entryId, limit: 1 });
    const found = entries.flatMap((group) => [group, ...group.further]).find(({ id }) => id === entryId);
    return found?.undone_by ?? null;
  } catch {
    return null;
  }
};

/**
 * Removes Undo from an entry in the pages that are shown, which are not read again, and shows who undid it. Reads everything else.
 * Never rejects.
 */
export const showUndone = async (client: QueryClient, entryId: string): Promise<void> => {
  markUndone(client, entryId, null);
  // Every list can contain the record. Pages of the activity are static.
  void client.invalidateQueries();
  markUndone(client, entryId, await readUndoneBy(entryId));
};

const markUndone = (client: QueryClient, entryId: string, undoneBy: ActivityEntry['undone_by']): void => {
  const mark = <Entry extends ActivityEntry>(entry: Entry): Entry =>
    entry.id === entryId
      ? { ...entry, undoable: false, undoable_import: null, undone_by: undoneBy ?? entry.undone_by }
      : entry;
  client.setQueriesData<Pages>(
    { queryKey: ['activity', 'pages'] },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          entries: page.entries.map((group) => ({
            ...mark(group),
            further: group.further.map(mark),
          })),
        })),
      },
  );
};

/** @param options `live` counts new entries; another `version` reads the list again */
export const useActivity = (
  filter: ListedActivity,
  { live = false, version = '' }: { readonly live?: boolean; readonly version?: string },
): ActivityList => {
  const client = useQueryClient();
  const options = pagesQuery(filter, version);
  const pages = useInfiniteQuery(options);
  const isCurrent = pages.isSuccess && !pages.isPlaceholderData;
  const newest = useQuery(newestQuery(filter, live && isCurrent));
  const entries = useMemo(() => pages.data?.pages.flatMap((page) => page.entries), [pages.data]);
  const newCount = useMemo(() => {
    if (!isCurrent || newest.data === undefined) return 0;
    const known = new Set(entries?.map(({ id }) => id));
    return newest.data.entries.filter(({ id }) => !known.has(id)).length;
  }, [isCurrent, newest.data, entries]);
  return {
    entries,
    error: pages.error,
    fetching: pages.isFetching,
    outdated: pages.isPlaceholderData,
    hasMore: pages.hasNextPage,
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetching) void pages.fetchNextPage();
    },
    retry: () => void (entries === undefined ? pages.refetch() : pages.fetchNextPage()),
    newCount,
    showNew: () => {
      if (newest.data !== undefined)
        client.setQueryData(options.queryKey, { pages: [newest.data], pageParams: [undefined] });
    },
  };
};
