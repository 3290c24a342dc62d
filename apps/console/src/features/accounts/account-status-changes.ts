/** Changes of the status of an account. Each shows its result in a toast, with Undo if the previous status can be restored. */
import {
  type AccountStatus,
  isAccountStatus,
  nextStatuses,
  type SetAccountStatusResponse,
} from '@lanternrock/contract/account-status';
import type { AccountRow } from '@lanternrock/contract/rows';
import type { QueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { retryButton } from '../../forms/use-submit.ts';
import type { ToastTexts } from '../../ui/toast.ts';
import { toast } from '../../ui/toast.ts';
import { showSavedAccount } from './account-edits.ts';
import { accountPanelText } from './account-panel-text.ts';
import { accountsKey } from './accounts-list.ts';

const text = accountPanelText.status;

export type StatusAction = keyof typeof text.actions;
export type AccountAction = 'edit' | StatusAction;

/** The actions in the order of their buttons, with the statuses in which they are offered. */
const actions: Readonly<
  Record<StatusAction, { readonly from: readonly string[]; readonly to: AccountStatus }>
> = {
  suspend: { from: ['active'], to: 'suspended' },
  reactivate: { from: ['suspended'], to: 'active' },
  restore: { from: ['archived'], to: 'active' },
  archive: { from: ['active', 'suspended'], to: 'archived' },
};

const statusActionsFor = (status: string): readonly StatusAction[] =>
  (Object.keys(actions) as StatusAction[]).filter((action) => actions[action].from.includes(status));

/**
 * Returns the actions that the backend offers to administrators. A status that this version does not know is shown as text
 * only.
 */
export const accountActionsFor = (status: string): readonly AccountAction[] =>
  hasFeature('extensions') ? ['edit', ...statusActionsFor(status)] : [];

export interface StatusChange {
  /** The row that the user saw. Its status must not have changed since. */
  readonly account: AccountRow;
  readonly action: StatusAction;
  /** For a suspension. */
  readonly reason?: string;
  readonly endSessions?: boolean;
}

/** @throws ApiError with a sentence if the account has changed or the transition is not allowed */
export const setAccountStatus = (
  { account, action, reason, endSessions = false }: StatusChange,
  signal?: AbortSignal,
): Promise<SetAccountStatusResponse> => {
  const body = {
    account_id: account.id,
    status: actions[action].to,
    updated_at: account.updated_at,
    previous_status: account.status,
    ...(reason === undefined ? {} : { reason }),
    ...(endSessions ? { end_sessions: true } : {}),
  };
  return callFunction('set-account-status', body, { signal });
};

/** Identifies the toasts of one account. */
export const statusToast = (account: AccountRow): string => `set-account-status ${account.id}`;

/** Shows a changed status in the list and the panel. Returns the toast. */
export const showChangedStatus = (
  client: QueryClient,
  change: StatusChange,
  response: SetAccountStatusResponse,
): ToastTexts => {
  const { account, action } = change;
  // With the new version, an edit would overwrite other fields that this row does not show yet.
  const version = response.version_matched ? response.updated_at : account.updated_at;
  const changed = { ...account, status: actions[action].to, updated_at: version };
  showSavedAccount(client, changed);
  const signedOut = response.signed_out > 0 ? text.signedOut(response.signed_out) : '';
  const undone = { account: { ...account, updated_at: response.updated_at }, changed };
  return {
    title: text.actions[action].done,
    description: [text.isNow(account.name, changed.status), signedOut].filter(Boolean).join(' '),
    button: isUndoable(account.status, changed.status)
      ? { label: text.undo, onPress: () => void undoStatusChange(client, undone) }
      : undefined,
  };
};

/** Returns true if the previous status can follow on the new one. */
const isUndoable = (previous: string, status: string): boolean =>
  isAccountStatus(previous) && nextStatuses(status).includes(previous);

interface UndoneStatus {
  /** The row before the change, with the version that the change led to. */
  readonly account: AccountRow;
  readonly changed: AccountRow;
}

/** Reverts the change by its entry of the activity, which has the reason of a suspension. Never rejects: a toast shows the result. */
const undoStatusChange = async (client: QueryClient, undone: UndoneStatus): Promise<void> => {
  const { account, changed } = undone;
  const action = statusToast(account);
  try {
    await callFunction('undo-change', { account_id: account.id, updated_at: account.updated_at });
    showSavedAccount(client, { ...changed, status: account.status });
    // An undo has no Undo: the buttons of the panel change the status again.
    toast({ action, title: text.undone, description: text.isNow(account.name, account.status) });
  } catch (error) {
    void client.invalidateQueries({ queryKey: accountsKey });
    toast({
      action,
      title: text.failed,
      description: errorMessage(error),
      variant: 'destructive',
      button: retryButton(action, error, () => void undoStatusChange(client, undone)),
    });
  }
};

/** Changes the status and shows the result in a toast. Never rejects. */
export const changeAccountStatus = async (client: QueryClient, change: StatusChange): Promise<void> => {
  const action = statusToast(change.account);
  try {
    toast({ action, ...showChangedStatus(client, change, await setAccountStatus(change)) });
  } catch (error) {
    // The next attempt changes the current version.
    void client.invalidateQueries({ queryKey: accountsKey });
    toast({
      action,
      title: text.failed,
      description: errorMessage(error),
      variant: 'destructive',
      button: retryButton(action, error, () => void changeAccountStatus(client, change)),
    });
  }
};
