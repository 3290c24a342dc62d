/** The note and the expiry of a new invitation. They stay in the form, so the button only shows them. */
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { TermsFields } from './terms-fields.tsx';
import type { TermsInput } from './terms-form.ts';
import { termsFieldsText as text } from './terms-text.ts';

/** @param form has the fields of `TermsInput`, among others */
export function MoreOptions({ form }: { form: unknown }): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const termsForm = form as UseFormReturn<TermsInput, unknown, TermsInput>;
  useEffect(() => {
    if (isOpen) termsForm.setFocus('note');
  }, [isOpen, termsForm]);
  return isOpen ? (
    <TermsFields form={termsForm} terms={{ expires_in: null }} />
  ) : (
    <div>
      <Button variant="link" size="flush" onClick={() => setOpen(true)}>
        {text.moreOptions}
      </Button>
    </div>
  );
}
