/** Undo of an import in the activity. */
import type { ActivityEntry } from '@lanternrock/contract/activity';
import { maxGroupCount } from '@lanternrock/contract/activity-limits';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { toast } from '../ui/toast.ts';
import { readCounts } from './activity-action.ts';
import { showUndone } from './activity-queries.ts';
import { actorName } from './activity-text.ts';
import { UndoButton } from './csv-run/undo-button.tsx';
import { describeActivity } from './describe-activity.ts';
import { undoImport } from './undo-import.ts';
import { undoImportText as text } from './undo-import-text.ts';

interface UndoImportButtonProps {
  entry: ActivityEntry;
  undoable: NonNullable<ActivityEntry['undoable_import']>;
  /** ID of the item of the list, which gets the focus when the button disappears. */
  itemId: string;
}

/** Deletes the accounts that the whole import has created, which adds an entry. */
export function UndoImportButton({ entry, undoable, itemId }: UndoImportButtonProps): React.JSX.Element {
  const client = useQueryClient();
  const id = useId();
  const { verb, object } = describeActivity(entry);
  const undo = async (): Promise<void> => {
    const { deleted, kept } = await undoImport(undoable.id);
    toast({ action: 'undo-import', title: text.undone(deleted, kept.size) });
    // The button disappears.
    document.querySelector<HTMLElement>(`[data-entry="${itemId}"]`)?.focus();
    void showUndone(client, entry.id);
  };
  return (
    <span className="print:hidden">
      <span id={id} hidden>{`${actorName(entry)} ${verb} ${object}`}</span>
      <UndoButton
        text={text}
        // An earlier undo can have deleted a part.
        total={undoable.accounts < maxGroupCount ? undoable.accounts : readCounts(entry).created}
        describedBy={id}
        size="sm"
        onConfirm={undo}
      />
    </span>
  );
}
