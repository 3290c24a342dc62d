/** The note, the expiry and further fields of a new invitation. They stay in the form, so the button only shows them. */
import { type ReactNode, useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { TermsFields } from './terms-fields.tsx';
import type { TermsInput } from './terms-form.ts';
import { termsFieldsText as text } from './terms-text.ts';

interface MoreOptionsProps {
  /** Has the fields of `TermsInput`, among others. */
  form: unknown;
  /** Further fields. */
  children?: ReactNode;
}

export function MoreOptions({ form, children }: MoreOptionsProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const termsForm = form as UseFormReturn<TermsInput, unknown, TermsInput>;
  useEffect(() => {
    if (isOpen) termsForm.setFocus('note');
  }, [isOpen, termsForm]);
  return isOpen ? (
    <>
      <TermsFields form={termsForm} terms={{ expires_in: null }} />
      {children}
    </>
  ) : (
    <div>
      <Button variant="link" size="flush" onClick={() => setOpen(true)}>
        {text.moreOptions}
      </Button>
    </div>
  );
}
