/** Confirmation dialog that stays open until its request has succeeded. */
import { useRef, useState } from 'react';
import type { Submission } from '../../forms/use-submit.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface ConfirmSubmitDialogProps<Subject> {
  /** Undefined while the dialog is closed. */
  subject: Subject | undefined;
  onClose: () => void;
  title: (subject: Subject) => string;
  description: (subject: Subject) => string;
  confirmLabel: string;
  pendingLabel: string;
  destructive?: boolean;
  /** Runs when the user confirms. */
  submission: Pick<Submission<Subject, unknown>, 'pending' | 'submit'>;
  /** ID of the heading that gets the focus when the row is removed. */
  headingId: string;
}

export function ConfirmSubmitDialog<Subject>(
  props: ConfirmSubmitDialogProps<Subject>,
): React.JSX.Element | null {
  const { subject, onClose, submission } = props;
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
      pending={submission.pending}
      pendingLabel={props.pendingLabel}
      finalFocus={() => (confirmed.current ? (document.getElementById(props.headingId) ?? true) : true)}
      onConfirm={() => {
        if (subject === undefined) return;
        void submission.submit(subject).then((done) => {
          if (!done) return;
          confirmed.current = true;
          onClose();
        });
      }}
      onCancel={() => {
        confirmed.current = false;
        onClose();
      }}
    />
  );
}
