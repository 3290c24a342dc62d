/** The actions of one account in its panel. Those that need input open a dialog, which is in the URL. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { hasUnsavedChanges } from '../../forms/unsaved-changes.ts';
import { useIsAdministrator } from '../../session/use-session.tsx';
import { useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { type AccountAction, accountActionsFor, changeAccountStatus } from './account-status-changes.ts';
import { accountPanelText } from './account-panel-text.ts';
import { accountsSearchParams, hasDialog } from './accounts-search-params.ts';

const EditAccountDialog = lazyOverlay(
  async () => (await import('./edit-account-dialog.tsx')).EditAccountDialog,
);
const SuspendAccountDialog = lazyOverlay(
  async () => (await import('./suspend-account-dialog.tsx')).SuspendAccountDialog,
);

/** Renders no buttons for users who cannot change accounts. */
export function AccountActions({ account }: { account: AccountRow }): React.JSX.Element {
  const { search, change } = useUrlState('/admin/accounts', accountsSearchParams);
  const client = useQueryClient();
  const isAdministrator = useIsAdministrator().state === 'yes';
  const actions = isAdministrator ? accountActionsFor(account.status) : [];
  const group = useRef<HTMLDivElement>(null);
  const requested = search.account === account.id ? search.action : undefined;
  const isOffered = requested !== undefined && actions.includes(requested);
  // The status has changed, for example in another tab. Unsaved input, such as a reason, stays until the user decides.
  const isKept = !isOffered && actions.length > 0 && hasUnsavedChanges();
  const open = isKept || isOffered ? requested : undefined;
  const isOutdated = requested !== undefined && actions.length > 0 && open === undefined;
  useEffect(() => {
    // The status has changed. The dialog must not open when it changes back.
    if (isOutdated) change({ action: undefined }, { replace: true, confirmed: true });
  }, [isOutdated, change]);
  const [running, setRunning] = useState<AccountAction>();
  const lastPressed = useRef<AccountAction>(undefined);
  const close = (confirmed: boolean): void => change({ action: undefined }, { confirmed });
  /** The button of a done action is gone. No other button gets the focus, because a second Enter would press it. */
  const finalFocus = useCallback((): HTMLElement | false => {
    const pressed = `[data-account-action="${lastPressed.current}"]`;
    const button = group.current?.querySelector<HTMLElement>(pressed);
    if (button) return button;
    // The dialog would focus the first button of the group.
    group.current?.focus();
    return false;
  }, []);
  const press = async (action: AccountAction): Promise<void> => {
    lastPressed.current = action;
    if (hasDialog(action)) {
      change({ action });
      return;
    }
    setRunning(action);
    await changeAccountStatus(client, { account, action });
    setRunning(undefined);
  };
  const { status } = account;
  useEffect(() => {
    // A pending button is disabled and loses the focus, and after the change it is gone.
    const pressed = lastPressed.current;
    if (running !== undefined || pressed === undefined || document.activeElement !== document.body) return;
    const button = accountActionsFor(status).includes(pressed) && finalFocus();
    if (button === false) group.current?.focus();
    else button.focus();
  }, [running, status, lastPressed, finalFocus]);
  return (
    <>
      {actions.length > 0 && (
        <div
          ref={group}
          role="group"
          aria-label={accountPanelText.actions.label}
          tabIndex={-1}
          className="flex flex-wrap gap-2 rounded-md"
        >
          {actions.map((action) => (
            <Button
              key={action}
              variant={action === 'suspend' ? 'outlineDestructive' : 'outline'}
              size="sm"
              data-account-action={action}
              {...(action !== 'edit' && action !== 'suspend' && { pending: running === action })}
              disabled={running !== undefined}
              onClick={() => void press(action)}
            >
              {accountPanelText.actions[action]}
            </Button>
          ))}
        </div>
      )}
      <EditAccountDialog
        open={open === 'edit'}
        account={account}
        finalFocus={finalFocus}
        onClose={close}
        onReopen={(id) => change({ account: id, action: 'edit' })}
      />
      <SuspendAccountDialog
        open={open === 'suspend'}
        account={account}
        finalFocus={finalFocus}
        onClose={close}
      />
    </>
  );
}
