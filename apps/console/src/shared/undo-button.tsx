/** Undo of an activity entry. */
import type { ActivityEntry } from '@lanternrock/contract/activity';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError, errorMessage } from '../api/errors.ts';
import { callFunction } from '../api/functions.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { Button } from '../ui/button.tsx';
import { showUndone } from './activity-queries.ts';
import { describeActivity } from './describe-activity.ts';
import { activityText as text } from './activity-text.ts';

interface UndoButtonProps {
  entry: ActivityEntry;
  /** ID of the item of the list, which gets the focus when the button disappears. */
  itemId: string;
}

/** Reverts the change, which adds an entry. The button is absent as soon as that is no longer possible. */
export function UndoButton({ entry, itemId }: UndoButtonProps): React.JSX.Element {
  const client = useQueryClient();
  const { verb, object, relation, record } = describeActivity(entry);
  const sentence = [verb, object, relation, record ?? ''].filter((word) => word !== '').join(' ');
  const remove = (): void => {
    // The button disappears.
    document.querySelector<HTMLElement>(`[data-entry="${itemId}"]`)?.focus();
    void showUndone(client, entry.id);
  };
  const { submit, pending } = useSubmit({
    action: `undo-change ${entry.id}`,
    send: (_input: void, signal) => callFunction('undo-change', { entry: entry.id }, { signal }),
    repeatable: true,
    done: () => {
      remove();
      return { title: text.undone };
    },
    failed: (error) => {
      if (error instanceof ApiError && error.status === 409) remove();
      return { title: text.undoFailed, description: errorMessage(error) };
    },
  });
  return (
    <Button
      variant="outline"
      size="sm"
      pending={pending}
      pendingLabel={text.undoing}
      aria-label={`${text.undo}: ${sentence}`}
      onClick={() => void submit()}
      className="print:hidden"
    >
      {text.undo}
    </Button>
  );
}
