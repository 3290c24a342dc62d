/** Confirmation dialog of a change on the security screen. It stays open until the request has succeeded. */
import { useRef } from 'react';
import { type SubmitOptions, useSubmit } from '../../forms/use-submit.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useLastDefined } from '../../ui/use-last-defined.ts';
import { useSecurityChange } from './use-security-change.ts';

interface ConfirmSubmitDialogProps<Subject, Result> extends Pick<
  SubmitOptions<Subject, Result>,
  'action' | 'send' | 'done' | 'failed'
> {
  /** Undefined while the dialog is closed. */
  subject: Subject | undefined;
  onClose: () => void;
  title: (subject: Subject) => string;
  description: (subject: Subject) => string;
  confirmLabel: string;
  pendingLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  /** ID of the heading that gets the focus when the row is removed. */
  headingId: string;
}

export function ConfirmSubmitDialog<Subject, Result>(
  props: ConfirmSubmitDialogProps<Subject, Result>,
): React.JSX.Element | null {
  const { subject, onClose, action, send, done, failed } = props;
  const { pending, submit, cancel } = useSubmit(useSecurityChange({ action, send, done, failed }));
  const last = useLastDefined(subject);
  // A change that succeeds changes the data that the description is about, before the dialog closes.
  const description = useLastDefined(
    subject === undefined || pending ? undefined : props.description(subject),
  );
  const confirmed = useRef(false);
  if (last === undefined) return null;
  return (
    <ConfirmDialog
      open={subject !== undefined}
      title={props.title(last)}
      description={description ?? ''}
      confirmLabel={props.confirmLabel}
      pending={pending}
      pendingLabel={props.pendingLabel}
      cancelLabel={props.cancelLabel ?? 'Cancel'}
      destructive={props.destructive ?? true}
      finalFocus={() => (confirmed.current ? (document.getElementById(props.headingId) ?? true) : true)}
      onConfirm={() => {
        if (subject === undefined) return;
        void submit(subject).then((succeeded) => {
          if (!succeeded) return;
          confirmed.current = true;
          onClose();
        });
      }}
      onCancel={() => {
        confirmed.current = false;
        cancel();
        onClose();
      }}
    />
  );
}
