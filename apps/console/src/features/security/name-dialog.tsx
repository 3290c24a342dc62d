/** A dialog that asks for one name and then does something under it: a key, a passkey, another name. */
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
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next && !pending) onClose();
      }}
    >
      {/* The content goes when the dialog closes, and with it what was typed. */}
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
