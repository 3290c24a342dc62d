/** The changed fields of an activity entry. */
import type { ActivityChange, ActivityEntry } from '@lanternrock/contract/activity';
import { useState } from 'react';
import { StatusBadge } from '../ui/status-badge.tsx';
import { activityText as text, fieldName, fieldValue } from './activity-text.ts';

/** A change shows its fields. A new or deleted record shows them on request, because it has many. */
export function Changes({ entry }: { entry: ActivityEntry }): React.JSX.Element {
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
      <summary className="w-fit cursor-pointer leading-6 text-muted hover:text-foreground">
        {text.fields(entry.changes.length)}
      </summary>
      {open && list}
    </details>
  );
}

function Change({ change, isUpdate }: { change: ActivityChange; isUpdate: boolean }): React.JSX.Element {
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
  ) : field === 'status' ? (
    <StatusBadge status={value} size="sm" />
  ) : (
    <bdi translate="no">{fieldValue(field, value)}</bdi>
  );
