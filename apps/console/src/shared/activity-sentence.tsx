/** The sentence of an activity entry, and the names at its time. */
import type { ActivityEntry } from '@lanternrock/contract/activity';
import { QuotedText } from '../ui/quoted-text.tsx';
import { describeActivity } from './describe-activity.ts';
import { actorName, describeFormerNames } from './activity-text.ts';

export type OnRecord = ((entry: ActivityEntry) => void) | undefined;

export function Sentence({
  entry,
  onRecord,
}: {
  entry: ActivityEntry;
  onRecord?: OnRecord;
}): React.JSX.Element {
  const { verb, object, relation, record } = describeActivity(entry);
  return (
    <p className="wrap-anywhere">
      <bdi translate="no" className="font-medium" title={entry.actor_email ?? undefined}>
        {actorName(entry)}
      </bdi>{' '}
      {verb} {object !== '' && <bdi translate="no">{object} </bdi>}
      {relation} {record !== null && <RecordName name={record} entry={entry} onRecord={onRecord} />}
    </p>
  );
}

interface RecordNameProps {
  name: string;
  entry: ActivityEntry;
  onRecord: OnRecord;
}

function RecordName({ name, entry, onRecord }: RecordNameProps): React.JSX.Element {
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

/** The sentence has the present names, as all screens do. */
export function FormerNames({ entry }: { entry: ActivityEntry }): React.JSX.Element | null {
  const lines = describeFormerNames(entry);
  if (lines.length === 0) return null;
  return (
    <p className="text-xs wrap-anywhere text-muted">
      {lines.map((line) => (
        <span key={line} className="block">
          <QuotedText>{line}</QuotedText>
        </span>
      ))}
    </p>
  );
}
