/** Saves changes of an account, unless another user has saved it since, and reverts them. */
import type { NewAccount } from '@lanternrock/contract/accounts';
import type { AccountRow } from '@lanternrock/contract/rows';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { data } from '../../api/data.ts';
import { ApiError, errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { enabledIf, hasFeature } from '../../api/runtime-config.ts';
import { retryButton } from '../../forms/use-submit.ts';
import { toast } from '../../ui/toast.ts';
import { accountPanelText } from './account-panel-text.ts';
import { conflictingFields, differingFields, mergeEdits, toAccountValues } from './account-values.ts';
import { updateCachedAccount } from './accounts-cache.ts';
import { accountsKey } from './accounts-list.ts';
import { accountQuery } from './accounts-queries.ts';

const text = accountPanelText.edit;

export interface AccountEdit {
  /** The row that the edit started from. Only this version is replaced. */
  readonly basis: AccountRow;
  readonly values: NewAccount;
  readonly slug: string;
}

/** Two versions of an account, of which the user chooses. */
export interface AccountConflict {
  /** The row that the edit started from. */
  readonly basis: AccountRow;
  readonly mine: NewAccount;
  /** The newer stored row. */
  readonly theirs: AccountRow;
}

export class AccountConflictError extends Error {
  override readonly name = 'AccountConflictError';
  readonly conflict: AccountConflict;

  constructor(conflict: AccountConflict) {
    super(accountPanelText.conflict.title);
    this.conflict = conflict;
  }
}

export interface SavedEdit {
  /** The row that was replaced, with the changes of other users since the edit started. */
  readonly before: AccountRow;
  readonly saved: AccountRow;
}

const hasValues = (row: AccountRow, { values, slug }: Omit<AccountEdit, 'basis'>): boolean =>
  row.slug === slug && differingFields(toAccountValues(row), values).length === 0;

/**
 * Saves an edit together with the changes that others have saved meanwhile to other fields. Sends nothing if the row has the
 * values already.
 *
 * @throws AccountConflictError if another user has changed the same field to another value
 * @throws ApiError
 */
export const saveAccount = async (edit: AccountEdit, signal?: AbortSignal): Promise<SavedEdit> => {
  const { basis, values, slug } = edit;
  if (hasValues(basis, edit)) return { before: basis, saved: basis };
  const { id, updated_at } = basis;
  const call = data
    .from('accounts')
    .update({ ...values, slug })
    .eq('id', id)
    .eq('updated_at', updated_at)
    .select('*');
  if (signal !== undefined) call.abortSignal(signal);
  const { data: saved } = await call.throwOnError();
  if (saved[0] !== undefined) return { before: basis, saved: saved[0] };
  const read = data.from('accounts').select('*').eq('id', id).maybeSingle();
  const { data: stored } = await read.throwOnError();
  if (stored === null)
    throw new ApiError({ kind: 'data', status: 404, message: accountPanelText.panel.notFound });
  // The response to an earlier attempt was lost.
  if (hasValues(stored, edit)) return { before: basis, saved: stored };
  if (stored.updated_at === updated_at) {
    throw new ApiError({ kind: 'data', status: 403, message: text.notSaved });
  }
  const edits = { basis: toAccountValues(basis), mine: values, theirs: toAccountValues(stored) };
  const slugs = new Set([basis.slug, slug, stored.slug]);
  if (conflictingFields(edits).length > 0 || slugs.size > 2)
    throw new AccountConflictError({ basis, mine: values, theirs: stored });
  const mergedSlug = slug === basis.slug ? stored.slug : slug;
  return saveAccount({ basis: stored, values: mergeEdits(edits), slug: mergedSlug }, signal);
};

/** Shows a saved row in the list and in the panel, then reads both again. */
export const showSavedAccount = (client: QueryClient, saved: AccountRow): void => {
  updateCachedAccount(client, saved.id, () => saved);
  // The list may no longer contain the row, because of its filters.
  client.setQueryData(accountQuery(saved.id).queryKey, saved);
  void client.invalidateQueries({ queryKey: accountsKey });
};

/** Reads who saved an account last, and why it is suspended. */
export const accountDetailsQuery = ({ id, updated_at }: AccountRow) =>
  queryOptions({
    queryKey: ['account-details', id, updated_at],
    retry: false,
    ...enabledIf(hasFeature('extensions')),
    queryFn: () => callFunction('account-details', { account_id: id }),
  });

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

/**
 * Reverts an edit by its entry of the activity. If another user has changed the same fields since, or the backend has no activity, it
 * saves the former values.
 *
 * @throws AccountConflictError, ApiError
 */
const revertEdit = async (before: AccountRow, saved: AccountRow): Promise<AccountRow> => {
  const { id, updated_at } = saved;
  try {
    if (hasFeature('extensions')) {
      await callFunction('undo-change', { account_id: id, updated_at });
      const read = data.from('accounts').select('*').eq('id', id).single();
      return (await read.throwOnError()).data;
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
  }
  const restored = await saveAccount({ basis: saved, values: toAccountValues(before), slug: before.slug });
  return restored.saved;
};

/** Never rejects: a toast shows the result. */
export const undoEdit = async (undone: UndoneEdit): Promise<void> => {
  const { client, before, saved, onConflict } = undone;
  const action = `edit-account ${saved.id}`;
  try {
    const restored = await revertEdit(before, saved);
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
