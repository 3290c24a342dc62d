/** Confirmation dialog that stays open until its mutation has succeeded. */
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ConfirmMutationDialogProps<Subject> {
  /** Undefined while the dialog is closed. */
  subject: Subject | undefined;
  onClose: () => void;
  title: (subject: Subject) => string;
  description: (subject: Subject) => string;
  confirmLabel: string;
  pendingLabel: string;
  destructive?: boolean;
  /** Runs when the user confirms. */
  mutation: {
    readonly isPending: boolean;
    readonly mutate: (subject: Subject, options: { onSuccess: () => void }) => void;
  };
  /** ID of the heading that gets the focus when the row is removed. */
  headingId: string;
}

export function ConfirmMutationDialog<Subject>(
  props: ConfirmMutationDialogProps<Subject>,
): React.JSX.Element | null {
  const { subject, onClose, mutation } = props;
  // Keep the texts during the closing transition.
  const [last, setLast] = useState(subject);
  if (subject !== undefined && subject !== last) setLast(subject);
  const confirmed = useRef(false);
  if (last === undefined) return null;
  return (
    <ConfirmDialog
      open={subject !== undefined}
      title={props.title(last)}
      description={props.description(last)}
      confirmLabel={props.confirmLabel}
      destructive={props.destructive ?? true}
      pending={mutation.isPending}
      pendingLabel={props.pendingLabel}
      finalFocus={() => (confirmed.current ? (document.getElementById(props.headingId) ?? true) : true)}
      onConfirm={() => {
        if (subject === undefined) return;
        mutation.mutate(subject, {
          onSuccess: () => {
            confirmed.current = true;
            onClose();
          },
        });
      }}
      onCancel={() => {
        confirmed.current = false;
        onClose();
      }}
    />
  );
}
