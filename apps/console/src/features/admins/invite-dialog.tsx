/** The dialog for a new invitation. */
import { useQueryClient } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { hasFeature } from '../../api/runtime-config.ts';
import { serverNow } from '../../api/server-clock.ts';
import { EmailFormField } from '../../forms/email-form-field.tsx';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { MoreOptions } from '../../shared/invitation-terms/more-options.tsx';
import { inviteSchema, toInviteBody, toInviteInput } from '../../shared/invitation-terms/terms-form.ts';
import { parseUrlState } from '../../shared/url-state.ts';
import { invitationsQuery, sendInvitation } from './admins-queries.ts';
import { adminsSearchParams } from './admins-search-params.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.dialog;
const toastText = adminsText.toast;

interface InviteDialogProps {
  open: boolean;
  returnFocus: RefObject<HTMLElement | null>;
  /** `confirmed`: closes without a confirmation about unsaved input. */
  onClose: (confirmed: boolean) => void;
}

export function InviteDialog({ open, returnFocus, onClose }: InviteDialogProps): React.JSX.Element {
  const client = useQueryClient();
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={text.title}
      description={hasFeature('local-mailbox') ? text.descriptionWithoutMail : text.description}
      finalFocus={returnFocus}
      schema={inviteSchema}
      defaults={toInviteInput(serverNow())}
      action="invite"
      repeatable
      send={(input, signal) => sendInvitation(toInviteBody(input), signal)}
      // Also closes if only the email failed, because the invitation exists.
      done={({ outcome, ...failure }, { email }) =>
        ({
          sent: { title: toastText.invited, description: toastText.invitedDescription(email) },
          saved: { title: toastText.saved, description: toastText.savedDescription(email) },
          sending: { title: toastText.sending, description: toastText.sendingDescription },
          failed: {
            title: toastText.createdWithoutEmail,
            description: toastText.createdWithoutEmailDescription(failure),
            persistent: true,
          },
        })[outcome]
      }
      failed={toastText.inviteFailed}
      onSettled={() => void client.invalidateQueries({ queryKey: invitationsQuery.queryKey })}
      cancelLabel={text.cancel}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
      guard={{
        ...adminsText.discard,
        staysOpen: (search) => parseUrlState(adminsSearchParams, search).invite === true,
      }}
    >
      {(form) => (
        <>
          <FormField form={form} name="full_name" label={text.fullName} />
          <EmailFormField form={form} name="email" label={text.email} />
          {hasFeature('extensions') && <MoreOptions form={form} />}
        </>
      )}
    </FormDialog>
  );
}
