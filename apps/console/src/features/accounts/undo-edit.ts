/** Reverts a saved edit of an account, with the same protection as any save. */
import type { AccountRow } from '@lanternrock/contract/rows';
import type { QueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../api/errors.ts';
import { retryButton } from '../../forms/use-submit.ts';
import { toast } from '../../ui/toast.ts';
import {
  type AccountConflict,
  AccountConflictError,
  saveAccount,
  showSavedAccount,
} from './account-edits.ts';
import { accountText } from './account-text.ts';
import { toAccountValues } from './account-values.ts';

const text = accountText.edit;

/** Conflicts of an undo, by account ID, which the dialog shows when it opens. */
export const pendingConflicts = new Map<string, AccountConflict>();

interface UndoneEdit {
  readonly client: QueryClient;
  /** The row before the edit. */
  readonly before: AccountRow;
  readonly saved: AccountRow;
  /** Opens the dialog, which then shows the conflict. */
  readonly onConflict: (id: string) => void;
}

/** Never rejects: a toast shows the result. */
export const undoEdit = async (undone: UndoneEdit): Promise<void> => {
  const { client, before, saved, onConflict } = undone;
  const action = `edit-account ${saved.id}`;
  try {
    const restored = await saveAccount({ basis: saved, values: toAccountValues(before), slug: before.slug });
    showSavedAccount(client, restored);
    toast({ action, title: text.undone, description: text.undoneDescription(restored.name) });
  } catch (error) {
    if (error instanceof AccountConflictError) {
      pendingConflicts.set(saved.id, error.conflict);
      onConflict(saved.id);
      return;
    }
    toast({
      action,
      title: text.saveFailed,
      description: errorMessage(error),
      variant: 'destructive',
      button: retryButton(action, error, () => void undoEdit(undone)),
    });
  }
};
