/** Dialog with a name field, for example to add a security key or to rename a passkey. */
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { NameForm, type NameFormProps } from './name-form.tsx';

interface NameDialogProps extends Omit<NameFormProps, 'onCancel' | 'onPending'> {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
}

/** Closes once `onSubmit` has resolved. */
export function NameDialog(props: NameDialogProps): React.JSX.Element {
  const { open, onClose, title, description, onSubmit, ...step } = props;
  const [pending, setPending] = useState(false);
  return (
    <Dialog
      open={open}
      title={title}
      description={description}
      size="md"
      onOpenChange={(next) => {
        if (!next && !pending) onClose();
      }}
    >
      {/* Unmounted when the dialog closes, which clears the input. */}
      <NameForm
        {...step}
        onCancel={onClose}
        onPending={setPending}
        onSubmit={async (name) => {
          await onSubmit(name);
          onClose();
        }}
      />
    </Dialog>
  );
}
