/** The activity screen: all entries, filtered by the URL. */
import {
  type ActivityEntry,
  type ActivityExport,
  activityExportFormats,
  type ActivityFilter,
  activityPageSize,
} from '@lanternrock/contract/activity';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Download from 'lucide-react/icons/download';
import History from 'lucide-react/icons/history';
import { useCallback, useEffect, useMemo } from 'react';
import { serverNow } from '../../api/server-clock.ts';
import { callFunction } from '../../api/functions.ts';
import { useActivity } from '../../shared/activity-queries.ts';
import { ActivityList } from '../../shared/activity-list.tsx';
import { focusEntry } from '../../shared/focus-entry.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { toDayInput } from '../../ui/input-day.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ScreenHeader, screenTitleId } from '../../ui/screen-header.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { activityScreenText as text } from './activity-screen-text.ts';
import { activitySearchParams, toActivityFilter } from './activity-search-params.ts';
import { findFilteredRecord } from './filtered-record.ts';

export function ActivityScreen(): React.JSX.Element {
  const { search, change } = useUrlState('/admin/activity', activitySearchParams);
  const filter = useMemo(() => toActivityFilter(search), [search]);
  const { entry } = search;
  const listed = useMemo(
    () => (entry === undefined ? filter : { ...filter, newest: entry }),
    [filter, entry],
  );
  const list = useActivity(listed, { live: entry === undefined });
  const isLoaded = list.entries !== undefined && !list.outdated;
  useEffect(() => {
    if (entry !== undefined && isLoaded) focusEntry(entry);
  }, [entry, isLoaded]);
  const onRecord = useCallback(
    ({ record_id: record }: ActivityEntry) => {
      if (record !== null) change({ record });
    },
    [change],
  );
  const record = useMemo(
    () => findFilteredRecord(list.entries, search.record),
    [list.entries, search.record],
  );
  const isFiltered = Object.values(search).some((value) => value !== undefined);
  return (
    <div className="grid content-start gap-4">
      <ScreenHeader
        title={text.title}
        description={text.description}
        action={<ExportButton filter={filter} />}
      />
      <ActivityFilters search={search} isFiltered={isFiltered} record={record} onChange={change} />
      {entry !== undefined && <StartNotice onAll={() => change({ entry: undefined })} />}
      <NewEntries count={list.newCount} onShow={list.showNew} />
      <div className={cx('min-w-0', list.outdated && 'opacity-60')}>
        <ActivityList
          label={text.list}
          entries={list.entries}
          filter={filter}
          error={list.error}
          fetching={list.fetching}
          hasMore={list.hasMore}
          onMore={list.loadMore}
          onRetry={list.retry}
          onRecord={onRecord}
          empty={
            <EmptyState
              icon={<History />}
              title={isFiltered ? text.noMatch : text.empty}
              description={isFiltered ? undefined : text.emptyDescription}
            />
          }
        />
      </div>
    </div>
  );
}

/** Says that newer entries are left out. */
const StartNotice = ({ onAll }: { onAll: () => void }): React.JSX.Element => (
  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
    {text.startsWithEntry}
    <Button
      variant="outline"
      size="sm"
      onClick={() => {
        onAll();
        // The button disappears. The title is above the first entry.
        document.getElementById(screenTitleId)?.focus();
      }}
    >
      {text.showNewest}
    </Button>
  </p>
);

/** Has no height of its own, so that the list does not move when entries arrive. */
function NewEntries({ count, onShow }: { count: number; onShow: () => void }): React.JSX.Element {
  const label = text.newEntries(count, count >= activityPageSize);
  return (
    <div className="sticky top-2 z-10 -mt-4 grid h-0 justify-center">
      <span role="status" className="sr-only">
        {count > 0 ? label : ''}
      </span>
      {count > 0 && (
        <Button
          size="sm"
          onClick={() => {
            onShow();
            // The button disappears. The title is above the first entry.
            document.getElementById(screenTitleId)?.focus();
          }}
        >
          <ArrowUp aria-hidden />
          {label}
        </Button>
      )}
    </div>
  );
}

/** Saves the filtered entries as a file. The audit log records each export, so it appears in this list. */
const saveExport = (filter: ActivityFilter, format: ActivityExport['format']): void => {
  const input = { ...filter, format };
  void saveFile({
    action: `export-activity ${JSON.stringify(input)}`,
    fileName: `activity-${toDayInput(serverNow())}.${format}`,
    load: (options) => callFunction('export-activity', input, options),
    text: text.export,
  });
};

const ExportButton = ({ filter }: { filter: ActivityFilter }): React.JSX.Element => (
  <Menu
    align="end"
    trigger={
      <Button variant="outline">
        <Download aria-hidden />
        {text.export.button}
      </Button>
    }
  >
    {activityExportFormats.map((format) => (
      <MenuItem key={format} onSelect={() => saveExport(filter, format)}>
        {text.export[format]}
      </MenuItem>
    ))}
  </Menu>
);
