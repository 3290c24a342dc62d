/** The dialog for the note and the expiry of the next email of an invitation. */
import type { InvitationTerms } from '@lanternrock/contract/invitation-terms';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { invitationsQuery } from './admins-queries.ts';
import { TermsFields } from '../../shared/invitation-terms/terms-fields.tsx';
import { termsSchema, toTermsBody, toTermsInput } from '../../shared/invitation-terms/terms-form.ts';
import { termsText } from './invitation-text.ts';

const text = termsText.dialog;

interface InvitationTermsDialogProps {
  open: boolean;
  invitation: InvitationRow;
  terms: InvitationTerms;
  onClose: () => void;
}

export function InvitationTermsDialog(props: InvitationTermsDialogProps): React.JSX.Element {
  const { open, invitation, terms, onClose } = props;
  const client = useQueryClient();
  const schema = useMemo(() => termsSchema(terms), [terms]);
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={text.title}
      description={text.description(invitation.full_name)}
      schema={schema}
      defaults={toTermsInput(terms)}
      action={`terms ${invitation.id}`}
      repeatable
      closesUnchanged
      confirmsClose
      send={(input, signal) =>
        callFunction('set-invitation-terms', toTermsBody(invitation.id, input, terms), { signal })
      }
      done={() => ({ title: termsText.saved, description: termsText.savedDescription })}
      fieldErrors={(error) =>
        error instanceof ApiError && error.code === 'invalid_expiry' ? { until: error.message } : {}
      }
      failed={termsText.failed}
      // Also after an error, because the invitation may have been accepted or revoked.
      onSettled={() => void client.invalidateQueries({ queryKey: invitationsQuery.queryKey })}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    >
      {(form) => <TermsFields form={form} terms={terms} />}
    </FormDialog>
  );
}
