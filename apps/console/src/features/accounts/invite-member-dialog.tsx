/** Invites a person who cannot sign in yet as a member of an account. */
import type { AccountRow } from '@lanternrock/contract/rows';
import { ApiError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import { serverNow } from '../../api/server-clock.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { EndDateField } from '../../shared/end-date/end-date-field.tsx';
import { endDateText } from '../../shared/end-date/end-date-text.ts';
import { MoreOptions } from '../../shared/invitation-terms/more-options.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { inviteMemberFormSchema, toInviteMemberBody, toInviteMemberInput } from './invite-member-form.ts';
import { sentToast, useRefreshInvitations } from './member-invitation-queries.ts';
import { memberInvitationsText } from './member-invitations-text.ts';

const text = memberInvitationsText.dialog;

interface InviteMemberDialogProps {
  open: boolean;
  account: Pick<AccountRow, 'id' | 'name'>;
  /** Normalized. */
  email: string;
  /** The value of the input of the end date that was chosen before; '' for none. */
  endsAt: string;
  finalFocus: DialogProps['finalFocus'];
  onInvited: () => void;
  onClose: () => void;
}

const fieldErrors = (error: unknown): { readonly until?: string; readonly ends_at?: string } => {
  if (!(error instanceof ApiError)) return {};
  if (error.code === 'invalid_expiry') return { until: error.message };
  return error.code === 'membership_end_in_past' ? { ends_at: error.message } : {};
};

export function InviteMemberDialog(props: InviteMemberDialogProps): React.JSX.Element {
  const { account, email } = props;
  const refreshInvitations = useRefreshInvitations(account.id);
  return (
    <FormDialog
      open={props.open}
      onClose={props.onClose}
      title={text.title(email, account.name)}
      description={hasFeature('local-mailbox') ? text.descriptionWithoutMail : text.description}
      finalFocus={props.finalFocus}
      schema={inviteMemberFormSchema}
      defaults={toInviteMemberInput(serverNow(), props.endsAt)}
      action="invite-member"
      repeatable
      confirmsClose
      send={(input, signal) =>
        callFunction('invite-account-member', toInviteMemberBody({ accountId: account.id, email }, input), {
          signal,
        })
      }
      // Also closes if only the email failed, because the invitation exists.
      done={(response) => {
        props.onInvited();
        return sentToast(response, email);
      }}
      fieldErrors={fieldErrors}
      failed={memberInvitationsText.failed}
      onSettled={refreshInvitations}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    >
      {(form) => (
        <>
          <FormField form={form} name="full_name" label={text.fullName} />
          <MoreOptions form={form}>
            <EndDateField form={form} label={endDateText.ends} />
          </MoreOptions>
        </>
      )}
    </FormDialog>
  );
}
