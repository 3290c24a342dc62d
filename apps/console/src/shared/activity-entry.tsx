/** An entry of the activity: one action, with the entries that it consists of. */
import type { ActivityEntry, ActivityFilter, ActivityGroup } from '@lanternrock/contract/activity';
import { memo, useMemo, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Time } from '../ui/time.tsx';
import { type ActivityAction, isMove, isSummary, toAction } from './activity-action.ts';
import { Changes } from './activity-changes.tsx';
import { useActivity } from './activity-queries.ts';
import { FormerNames, type OnRecord, Sentence } from './activity-sentence.tsx';
import { activityText as text } from './activity-text.ts';
import { UndoMarks } from './activity-undo-marks.tsx';
import { UndoButton } from './undo-button.tsx';
import { UndoImportButton } from './undo-import-button.tsx';

interface EntryProps {
  group: ActivityGroup;
  filter: ActivityFilter;
  /** Shows the entries of one record. Without it, the name of the record is text. */
  onRecord?: OnRecord;
}

/**
 * Who did what, when, from where, with the changed fields before and after. Memoized, because a list can have thousands of
 * entries.
 */
export const Entry = memo(({ group, filter, onRecord }: EntryProps): React.JSX.Element => {
  const action = useMemo(() => toAction(group), [group]);
  const { primary, reason } = action;
  return (
    <li
      data-entry={group.id}
      data-entries={[group, ...group.further].map(({ id }) => id).join(' ')}
      tabIndex={-1}
      className="grid gap-1 border-b border-border px-1 py-2.5 text-sm [contain-intrinsic-height:auto_4rem] [content-visibility:auto]"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="grid min-w-0 flex-1 basis-64 gap-1">
          <Sentence entry={primary} onRecord={onRecord} />
          <p className="flex flex-wrap gap-x-2 text-xs text-muted">
            <Time value={primary.at} exact className="tabular-nums" />
            {primary.origin !== null && <span>{text.origins[primary.origin]}</span>}
          </p>
        </div>
        {primary.undoable && <UndoButton entry={primary} itemId={group.id} />}
        {primary.undoable_import !== null && (
          <UndoImportButton entry={primary} undoable={primary.undoable_import} itemId={group.id} />
        )}
      </div>
      <UndoMarks entry={primary} />
      {primary.changes.length > 0 && !isSummary(primary) && !isMove(primary) && <Changes entry={primary} />}
      {reason !== null && <Reason {...reason} />}
      <FormerNames entry={primary} />
      {action.others > 0 && <Others group={group} action={action} filter={filter} />}
    </li>
  );
});
Entry.displayName = 'Entry';

const Reason = ({ text: reason, isFormer }: NonNullable<ActivityAction['reason']>): React.JSX.Element => (
  <dl className="flex flex-wrap gap-x-2 text-[0.8125rem] wrap-anywhere">
    <dt className="text-muted">{isFormer ? text.formerReason : text.reason}</dt>
    <dd className="min-w-0">
      <bdi translate="no">{reason}</bdi>
    </dd>
  </dl>
);

interface OthersProps {
  group: ActivityGroup;
  action: ActivityAction;
  filter: ActivityFilter;
}

/** The entries that the sentence leaves out, such as the rows of an import. */
export function Others({ group, action, filter }: OthersProps): React.JSX.Element {
  const { primary, others, hasMore, otherEntries } = action;
  const [open, setOpen] = useState(false);
  const label = primary.table_name === 'imports' ? text.imported : text.further;
  return (
    <details className="text-[0.8125rem]" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer leading-6 text-muted hover:text-foreground">
        {label(others, hasMore)}
      </summary>
      {open && (
        <div className="mt-1 border-l-2 border-border pl-3">
          {otherEntries === null ? (
            <LoadedEntries group={group} filter={filter} omitted={primary.id} />
          ) : (
            <EntryList entries={otherEntries} />
          )}
        </div>
      )}
    </details>
  );
}

interface LoadedEntriesProps {
  group: ActivityGroup;
  filter: ActivityFilter;
  /** ID of the entry that is shown already. */
  omitted: string;
}

function LoadedEntries({ group, filter, omitted }: LoadedEntriesProps): React.JSX.Element {
  const { person, kind, record } = filter;
  const listed = useMemo(
    () => ({
      group: group.id,
      ...(person === undefined ? {} : { person }),
      ...(kind === undefined ? {} : { kind }),
      ...(record === undefined ? {} : { record }),
    }),
    [group.id, person, kind, record],
  );
  const { entries, error, fetching, hasMore, loadMore, retry } = useActivity(listed, {});
  return (
    <>
      {entries === undefined && error === null && <Skeleton className="h-24 w-full" />}
      {entries !== undefined && (
        <EntryList entries={entries.filter((entry) => entry.id !== omitted && !isSummary(entry))} />
      )}
      {error !== null && (
        <ErrorState title={text.failed} description={error.message} onRetry={retry} retrying={fetching} />
      )}
      {hasMore && error === null && (
        <Button
          variant="ghost"
          size="sm"
          className="mt-1"
          onClick={loadMore}
          pending={fetching}
          pendingLabel={text.loading}
        >
          {text.more}
        </Button>
      )}
    </>
  );
}

const EntryList = ({ entries }: { entries: readonly ActivityEntry[] }): React.JSX.Element => (
  <ol aria-label={text.furtherList}>
    {entries.map((entry) => (
      <li key={entry.id} data-entry={entry.id} tabIndex={-1} className="grid gap-0.5 py-1.5">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
          <Sentence entry={entry} />
          {/* The button of the action reverts all its contacts. */}
          {entry.undoable && entry.table_name !== 'public.account_contacts' && (
            <UndoButton entry={entry} itemId={entry.id} />
          )}
        </div>
        <UndoMarks entry={entry} />
        {entry.changes.length > 0 && <Changes entry={entry} />}
        <FormerNames entry={entry} />
      </li>
    ))}
  </ol>
);
