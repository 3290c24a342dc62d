/** The form of a contact, to add or to edit one. Its phone number is checked by the service, which knows all countries. */
import {
  type AccountContact,
  type AccountContactsResponse,
  contactFieldsSchema,
  type ContactFields,
  type ContactFieldsInput,
} from '@lanternrock/contract/account-contacts';
import { useState } from 'react';
import { isUnanswered } from '../../api/errors.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { UsedAddress } from '../../forms/used-address.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { EmailInput, Textarea } from '../../ui/input.tsx';
import {
  contactFieldErrors,
  type ContactList,
  type ContactSubmission,
  useContactChange,
} from './contact-queries.ts';
import { contactsText as text } from './contacts-text.ts';

interface ContactDialogProps {
  open: boolean;
  accountId: string;
  /** The list in the panel. */
  list: ContactList;
  /** Undefined to add a contact. */
  contact: AccountContact | undefined;
  finalFocus: DialogProps['finalFocus'];
  onClose: () => void;
  onClosed: () => void;
}

const fields = text.fields;

const toInput = ({ name, role, phone_text: phone, email, note }: AccountContact): ContactFieldsInput => ({
  name,
  role: role ?? '',
  phone: phone ?? '',
  email: email ?? '',
  note: note ?? '',
});

const emptyForm: ContactFieldsInput = { name: '', role: '', phone: '', email: '', note: '' };

export function ContactDialog({
  accountId,
  list,
  contact,
  ...dialog
}: ContactDialogProps): React.JSX.Element {
  const change = useContactChange(accountId);
  const [opened] = useState(list);
  // After an error, the user decides about the latest list. A request without a response is repeated as it was.
  const [usesLatest, setUsesLatest] = useState(false);
  const base = usesLatest ? list : opened;
  const toSubmission = (input: ContactFields): ContactSubmission => {
    const sent = {
      name: input.name,
      role: input.role ?? '',
      phone: input.phone ?? '',
      email: input.email ?? '',
      note: input.note ?? '',
    };
    return {
      kind: contact === undefined ? 'add' : 'save',
      name: input.name,
      base,
      change: (contacts) =>
        contacts.some(({ id }) => id === contact?.id)
          ? contacts.map((each) => (each.id === contact?.id ? { ...sent, id: each.id } : each))
          : [...contacts, sent],
    };
  };
  return (
    <FormDialog<ContactFieldsInput, ContactFields, AccountContactsResponse>
      {...dialog}
      title={contact === undefined ? text.addTitle : text.editTitle}
      description={text.description}
      size="md"
      schema={contactFieldsSchema}
      defaults={contact === undefined ? emptyForm : toInput(contact)}
      closesUnchanged={contact !== undefined}
      confirmsClose
      action={change.action as string}
      repeatable
      send={(input, signal) => change.send(toSubmission(input), signal)}
      done={(response, input) => change.done?.(response, toSubmission(input))}
      failed={(error, input) => {
        if (!isUnanswered(error)) setUsesLatest(true);
        return typeof change.failed === 'function' ? change.failed(error, toSubmission(input)) : undefined;
      }}
      fieldErrors={contactFieldErrors}
      submitLabel={text.save}
      pendingLabel={text.saving}
    >
      {(form) => (
        <>
          <FormField form={form} name="name" label={fields.name} spellCheck={false} />
          <FormField form={form} name="role" label={fields.role} />
          <FormField
            form={form}
            name="phone"
            label={fields.phone}
            helpText={fields.phoneHelp}
            inputMode="tel"
            spellCheck={false}
          />
          <FormField
            form={form}
            name="email"
            label={fields.email}
            control={EmailInput}
            helpText={<UsedAddress typed={form.watch('email')} />}
          />
          <Field
            label={fields.note}
            error={form.formState.errors.note?.message}
            render={(control) => (
              <Textarea
                autoComplete="off"
                readOnly={form.formState.isSubmitting}
                {...control}
                {...form.register('note')}
              />
            )}
          />
        </>
      )}
    </FormDialog>
  );
}
