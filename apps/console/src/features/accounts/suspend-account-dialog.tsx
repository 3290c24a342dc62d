/** Suspends an account, with a reason. */
import { type SetAccountStatusResponse, suspensionReasonSchema } from '@lanternrock/contract/account-status';
import type { AccountRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { errorMessage } from '../../api/errors.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { parseUrlState } from '../../shared/url-state.ts';
import { CheckboxField } from '../../ui/checkbox.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';
import { setAccountStatus, showChangedStatus, statusToast } from './account-status-changes.ts';
import { accountPanelText } from './account-panel-text.ts';
import { accountsKey } from './accounts-list.ts';
import { accountsSearchParams } from './accounts-search-params.ts';

const text = accountPanelText.status;

const schema = z.object({ reason: suspensionReasonSchema, end_sessions: z.boolean() });
type Suspension = z.output<typeof schema>;

interface SuspendAccountDialogProps {
  open: boolean;
  account: AccountRow;
  finalFocus: DialogProps['finalFocus'];
  /** `confirmed`: closes without a confirmation about unsaved input. */
  onClose: (confirmed: boolean) => void;
}

export function SuspendAccountDialog(props: SuspendAccountDialogProps): React.JSX.Element {
  const { account } = props;
  const client = useQueryClient();
  const changeFor = ({ reason, end_sessions }: Suspension) =>
    ({ account, action: 'suspend', reason, endSessions: end_sessions }) as const;
  return (
    <FormDialog<z.input<typeof schema>, Suspension, SetAccountStatusResponse>
      open={props.open}
      onClose={props.onClose}
      title={text.actions.suspend.title(account.name)}
      description={text.actions.suspend.description}
      finalFocus={props.finalFocus}
      schema={schema}
      defaults={{ reason: '', end_sessions: false }}
      action={statusToast(account)}
      repeatable
      send={(input, signal) => setAccountStatus(changeFor(input), signal)}
      done={(response, input) => showChangedStatus(client, changeFor(input), response)}
      failed={(error) => {
        // The next attempt changes the current version.
        void client.invalidateQueries({ queryKey: accountsKey });
        return { title: text.failed, description: errorMessage(error) };
      }}
      submitLabel={text.actions.suspend.confirm}
      destructive
      pendingLabel={text.actions.suspend.pending}
      guard={{
        ...text.discard,
        staysOpen: (search) => {
          const next = parseUrlState(accountsSearchParams, search);
          return next.account === account.id && next.action === 'suspend';
        },
      }}
    >
      {(form) => (
        <>
          <Field
            label={text.reason}
            error={form.formState.errors.reason?.message}
            render={(control) => (
              <Textarea
                autoComplete="off"
                readOnly={form.formState.isSubmitting}
                {...control}
                {...form.register('reason')}
              />
            )}
          />
          <CheckboxField
            label={text.endSessions}
            help={text.endSessionsHelp}
            checked={form.watch('end_sessions')}
            onCheckedChange={(checked) => form.setValue('end_sessions', checked, { shouldDirty: true })}
          />
        </>
      )}
    </FormDialog>
  );
}
