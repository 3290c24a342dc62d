/** Asks before something is removed or ended, by name, and waits for the answer of the service. */
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface QuestionProps<Subject> {
  /** Undefined while nothing is asked. */
  subject: Subject | undefined;
  onClose: () => void;
  title: (subject: Subject) => string;
  description: (subject: Subject) => string;
  confirmLabel: string;
  pendingLabel: string;
  destructive?: boolean;
  /** What a yes does. */
  act: {
    readonly isPending: boolean;
    readonly mutate: (subject: Subject, options: { onSuccess: () => void }) => void;
  };
  /** Id of the heading that takes the focus when the row is gone. */
  headingId: string;
}

export function ConfirmMutationDialog<Subject>(props: QuestionProps<Subject>): React.JSX.Element | null {
  const { subject, onClose, act } = props;
  // The question keeps its words while it fades out.
  const [last, setLast] = useState(subject);
  if (subject !== undefined && subject !== last) setLast(subject);
  const answered = useRef(false);
  if (last === undefined) return null;
  return (
    <ConfirmDialog
      open={subject !== undefined}
      title={props.title(last)}
      description={props.description(last)}
      confirmLabel={props.confirmLabel}
      destructive={props.destructive ?? true}
      pending={act.isPending}
      pendingLabel={props.pendingLabel}
      finalFocus={() => (answered.current ? (document.getElementById(props.headingId) ?? true) : true)}
      onConfirm={() => {
        if (subject === undefined) return;
        act.mutate(subject, {
          onSuccess: () => {
            answered.current = true;
            onClose();
          },
        });
      }}
      onCancel={() => {
        answered.current = false;
        onClose();
      }}
    />
  );
}
