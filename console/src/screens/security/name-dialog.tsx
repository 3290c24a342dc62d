/** A dialog that asks for one name and then does something under it: a key, a passkey, another name. */
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { NameStep } from './name-step.tsx';

interface NameDialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  name: string;
  submitLabel: string;
  pendingLabel: string;
  /** Resolves when it is done; what it rejects with stands at the field. */
  onSubmit: (name: string) => Promise<unknown>;
}

export function NameDialog(props: NameDialogProps): React.JSX.Element {
  const [pending, setPending] = useState(false);
  return (
    <Dialog
      open={props.open}
      title={props.title}
      description={props.description}
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next && !pending) props.onClose();
      }}
    >
      {/* The content goes when the dialog closes, and with it what was typed. */}
      <NameStep
        name={props.name}
        submitLabel={props.submitLabel}
        pendingLabel={props.pendingLabel}
        onCancel={props.onClose}
        onPending={setPending}
        onSubmit={async (name) => {
          await props.onSubmit(name);
          props.onClose();
        }}
      />
    </Dialog>
  );
}
