/** What undid an activity entry, and what it undid, with links to these entries. */
import type { ActivityEntry, LinkedEntry } from '@lanternrock/contract/activity';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatExactTime } from '../ui/format-time.ts';
import { QuotedText } from '../ui/quoted-text.tsx';
import { activityText as text, actorName } from './activity-text.ts';
import { focusEntry } from './focus-entry.ts';

export function UndoMarks({ entry }: { entry: ActivityEntry }): React.JSX.Element | null {
  const { undone_by: by, undoes } = entry;
  if (by === null && undoes === null) return null;
  return (
    <p className="text-xs wrap-anywhere text-muted">
      {undoes !== null && <Undid undoes={undoes} />}
      {by !== null && (
        <span className="block">
          <QuotedText>{text.undoneBy(actorName(by), by.partly)}</QuotedText>
          <EntryLink entry={by}>{formatExactTime(by.at ?? '')}</EntryLink>
        </span>
      )}
    </p>
  );
}

const Undid = ({ undoes }: { undoes: LinkedEntry }): React.JSX.Element => (
  <span className="block">
    {undoes.at === null ? (
      text.undidRemoved
    ) : (
      <>
        {text.undid}
        <EntryLink entry={undoes}>
          <QuotedText>{text.undidEntry(actorName(undoes), formatExactTime(undoes.at))}</QuotedText>
        </EntryLink>
      </>
    )}
  </span>
);

/** Goes to the entry if the list shows it, otherwise to the activity from the entry on. */
const EntryLink = ({ entry, children }: { entry: LinkedEntry; children: ReactNode }): React.JSX.Element => (
  <Link
    to="/admin/activity"
    search={{ entry: entry.id }}
    className="text-primary underline underline-offset-4"
    onClick={(event) => {
      const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      if (!opensElsewhere && focusEntry(entry.id)) event.preventDefault();
    }}
  >
    {children}
  </Link>
);
