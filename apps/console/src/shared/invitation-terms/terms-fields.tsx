/** The fields for the note and the expiry of an invitation email. */
import { noteMaxLength, type InvitationTerms } from '@lanternrock/contract/invitation-terms';
import { countCodePoints } from '@lanternrock/contract/text-checks';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { readRuntimeConfig } from '../../api/runtime-config.ts';
import { FormField } from '../../forms/form-field.tsx';
import { Field } from '../../ui/field.tsx';
import { timeZoneName } from '../../ui/format-time.ts';
import { Textarea } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { expiryOptions, timeExpiry, type TermsInput } from './terms-form.ts';
import { termsFieldsText as text } from './terms-text.ts';

interface TermsFieldsProps {
  form: UseFormReturn<TermsInput, unknown, TermsInput>;
  /** The stored choices. */
  terms: Pick<InvitationTerms, 'expires_in'>;
}

export function TermsFields({ form, terms }: TermsFieldsProps): React.JSX.Element {
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
          <Select
            {...control}
            options={expiryOptions(terms, readRuntimeConfig().invitationSeconds)}
            {...form.register('expiry')}
          />
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
