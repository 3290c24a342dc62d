/** Confirms a change of the status that needs no reason. */
import type { SetAccountStatusResponse } from '@lanternrock/contract/account-status';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../../api/errors.ts';
import { useDialogAction } from '../../forms/use-dialog-action.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import {
  setAccountStatus,
  showChangedStatus,
  type StatusAction,
  type StatusChange,
  statusToast,
} from './account-status-changes.ts';
import { accountPanelText } from './account-panel-text.ts';
import { accountsKey } from './accounts-list.ts';

const text = accountPanelText.status;

interface ConfirmStatusDialogProps {
  open: boolean;
  account: AccountRow;
  /** Undefined while closed. */
  action: Exclude<StatusAction, 'suspend'> | undefined;
  finalFocus: DialogProps['finalFocus'];
  onClose: () => void;
}

export function ConfirmStatusDialog(props: ConfirmStatusDialogProps): React.JSX.Element | null {
  const { open, account, onClose } = props;
  const action = useLastDefined(props.action);
  const client = useQueryClient();
  const { pending, submit, cancel } = useSubmit<StatusChange, SetAccountStatusResponse>({
    action: statusToast(account),
    send: setAccountStatus,
    repeatable: true,
    done: (response, change) => {
      const texts = showChangedStatus(client, change, response);
      onClose();
      return texts;
    },
    failed: (error) => {
      // The next attempt changes the current version.
      void client.invalidateQueries({ queryKey: accountsKey });
      return { title: text.failed, description: errorMessage(error) };
    },
  });
  useDialogAction(open, cancel);
  if (action === undefined) return null;
  return (
    <ConfirmDialog
      inUrl
      open={open}
      title={text.actions[action].title(account.name)}
      description={text.actions[action].description(account.status)}
      confirmLabel={text.actions[action].confirm}
      destructive={action === 'archive'}
      pending={pending}
      pendingLabel={text.actions[action].pending}
      finalFocus={props.finalFocus}
      onCancel={onClose}
      onConfirm={() => void submit({ account, action })}
    />
  );
}
