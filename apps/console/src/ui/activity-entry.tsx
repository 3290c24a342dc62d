/** One entry of the activity: who did what, when, from where, with the changed fields before and after. */
import { memo, useState } from 'react';
import {
  type ActivityItem,
  type ActivityItemChange,
  activityText as text,
  actorName,
  describeActivity,
  fieldName,
  fieldValue,
  formatDateTime,
} from './activity-text.ts';
import { formatFullTime } from './format-time.ts';

interface ActivityEntryProps {
  entry: ActivityItem;
  /** Shows the entries of one record. Without it, the name of the record is text. */
  onRecord?: ((entry: ActivityItem) => void) | undefined;
}

/** An item of an `ol`. Memoized, because a list can have thousands of entries. */
export const ActivityEntry = memo(({ entry, onRecord }: ActivityEntryProps): React.JSX.Element => {
  const { verb, object, relation, record } = describeActivity(entry);
  return (
    <li
      data-entry={entry.id}
      className="grid gap-1 border-b border-border px-1 py-2.5 text-sm [contain-intrinsic-height:auto_4rem] [content-visibility:auto]"
    >
      <p className="wrap-anywhere">
        <bdi translate="no" className="font-medium" title={entry.actor_email ?? undefined}>
          {actorName(entry)}
        </bdi>{' '}
        {verb} {object !== '' && <bdi translate="no">{object} </bdi>}
        {relation} {record !== null && <RecordName name={record} entry={entry} onRecord={onRecord} />}
      </p>
      <p className="flex flex-wrap gap-x-2 text-xs text-muted">
        <time dateTime={entry.at} title={formatFullTime(entry.at)} className="tabular-nums">
          {formatDateTime(entry.at)}
        </time>
        {entry.origin !== null && <span>{text.origins[entry.origin]}</span>}
      </p>
      {entry.changes.length > 0 && <Changes entry={entry} />}
    </li>
  );
});
ActivityEntry.displayName = 'ActivityEntry';

function RecordName({ name, entry, onRecord }: ActivityEntryProps & { name: string }): React.JSX.Element {
  if (onRecord === undefined || entry.record_id === null)
    return (
      <bdi translate="no" className="font-medium">
        {name}
      </bdi>
    );
  return (
    <button
      type="button"
      className="cursor-pointer text-left font-medium wrap-anywhere text-primary underline-offset-4 hover:underline"
      onClick={() => onRecord(entry)}
    >
      <bdi translate="no">{name}</bdi>
    </button>
  );
}

/** A change shows its fields. A new or deleted record shows them on request, because it has many. */
function Changes({ entry }: { entry: ActivityItem }): React.JSX.Element {
  const [open, setOpen] = useState(false);
  const isUpdate = entry.action === 'UPDATE';
  const list = (
    <dl className="grid gap-0.5 text-[0.8125rem]">
      {entry.changes.map((change) => (
        <Change key={change.field} change={change} isUpdate={isUpdate} />
      ))}
    </dl>
  );
  if (isUpdate) return list;
  return (
    <details className="text-[0.8125rem]" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-muted hover:text-foreground">
        {text.fields(entry.changes.length)}
      </summary>
      {open && list}
    </details>
  );
}

function Change({ change, isUpdate }: { change: ActivityItemChange; isUpdate: boolean }): React.JSX.Element {
  const { field, before, after } = change;
  return (
    <div className="flex flex-wrap gap-x-2 wrap-anywhere">
      <dt className="text-muted">{fieldName(field)}</dt>
      <dd className="min-w-0">
        {isUpdate ? (
          <>
            <Value field={field} value={before} />
            <span aria-hidden className="px-1.5 text-muted">
              →
            </span>
            <span className="sr-only"> {text.changedTo} </span>
            <Value field={field} value={after} />
          </>
        ) : (
          <Value field={field} value={after ?? before} />
        )}
      </dd>
    </div>
  );
}

const Value = ({ field, value }: { field: string; value: string | null }): React.JSX.Element =>
  value === null || value === '' ? (
    <span className="text-muted italic">{text.noValue}</span>
  ) : (
    <bdi translate="no">{fieldValue(field, value)}</bdi>
  );
