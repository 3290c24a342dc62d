/** The dialog for the note and the expiry of the next email of an invitation. */
import { noteMaxLength, type InvitationTerms } from '@lanternrock/contract/invitation-terms';
import type { InvitationRow } from '@lanternrock/contract/rows';
import { countCodePoints } from '@lanternrock/contract/text-checks';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { ApiError } from '../../api/errors.ts';
import { callFunction } from '../../api/functions.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { Field } from '../../ui/field.tsx';
import { timeZoneName } from '../../ui/format-time.ts';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/input.tsx';
import { invitationsQuery } from './admins-queries.ts';
import {
  expiryOptions,
  termsSchema,
  timeExpiry,
  toTermsBody,
  toTermsInput,
  type TermsInput,
} from './invitation-terms-form.ts';
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
      {(form) => <Fields form={form} terms={terms} />}
    </FormDialog>
  );
}

type TermsForm = UseFormReturn<TermsInput, unknown, TermsInput>;

function Fields({ form, terms }: { form: TermsForm; terms: InvitationTerms }): React.JSX.Element {
  const [note, expiry] = form.watch(['note', 'expiry']);
  const [zone] = useState(timeZoneName);
  return (
    <>
      <Field
        label={text.note}
        error={form.formState.errors.note?.message}
        helpText={text.noteHelp(countCodePoints(note), noteMaxLength)}
        render={(control) => (
          <Textarea
            {...control}
            rows={5}
            dir="auto"
            translate="no"
            readOnly={form.formState.isSubmitting}
            {...form.register('note')}
          />
        )}
      />
      <Field
        label={text.expiry}
        render={(control) => (
          <Select {...control} options={expiryOptions(terms)} {...form.register('expiry')} />
        )}
      />
      {expiry === timeExpiry && (
        <FormField
          form={form}
          name="until"
          type="datetime-local"
          label={text.until}
          helpText={text.untilHelp(zone)}
        />
      )}
    </>
  );
}
