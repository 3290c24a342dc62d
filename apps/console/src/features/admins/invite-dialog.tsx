/** The dialog for a new invitation. */
import { zodResolver } from '@hookform/resolvers/zod';
import { invitationSchema } from '@lanternrock/contract/invitations';
import { type RefObject, useState } from 'react';
import { useForm } from 'react-hook-form';
import { CloseGuard } from '../../forms/close-guard.tsx';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { EmailInput } from '../../ui/email-input.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { useSingleFlight } from '../../forms/use-single-flight.ts';
import { useInvite } from './admins-queries.ts';
import { validateAdminsSearch } from './admins-search-params.ts';
import { adminsText } from './admins-text.ts';

const text = adminsText.dialog;

interface InviteDialogProps {
  open: boolean;
  returnFocus: RefObject<HTMLElement | null>;
  /** `confirmed`: closes without asking about unsaved input. */
  onClose: (confirmed: boolean) => void;
}

export function InviteDialog(props: InviteDialogProps): React.JSX.Element {
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={props.open}
      title={text.title}
      description={text.description}
      finalFocus={props.returnFocus}
      onOpenChange={(next) => {
        if (!next && !busy) props.onClose(false);
      }}
    >
      {/* The content unmounts when the dialog closes, which discards the input. */}
      <InviteForm {...props} onBusyChange={setBusy} />
    </Dialog>
  );
}

function InviteForm(props: InviteDialogProps & { onBusyChange: (busy: boolean) => void }): React.JSX.Element {
  const form = useForm({
    resolver: zodResolver(invitationSchema),
    defaultValues: { full_name: '', email: '' },
  });
  const { errors, isDirty } = form.formState;
  const invite = useInvite({ onBusyChange: props.onBusyChange, onSent: () => props.onClose(true) });
  const once = useSingleFlight();
  const submit = form.handleSubmit((invitation) => once(() => invite.mutateAsync(invitation)));
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <Field
        label={text.fullName}
        error={errors.full_name?.message}
        render={(control) => <Input {...control} autoComplete="off" {...form.register('full_name')} />}
      />
      <Field
        label={text.email}
        error={errors.email?.message}
        render={(control) => <EmailInput {...control} {...form.register('email')} />}
      />
      <FormActions
        cancelLabel={text.cancel}
        onCancel={() => props.onClose(false)}
        submitLabel={text.submit}
        pending={invite.isPending}
        pendingLabel={text.submitting}
      />
      <CloseGuard
        dirty={isDirty && props.open}
        staysOpen={(search) => validateAdminsSearch(search).invite === true}
        title={adminsText.discard.title}
        description={adminsText.discard.description}
        confirmLabel={adminsText.discard.confirm}
        cancelLabel={adminsText.discard.cancel}
      />
    </form>
  );
}
