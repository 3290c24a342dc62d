/** Asks before something is lost or cannot be taken back. The question names the object and the act. */
import { useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions, type DialogProps } from './dialog.tsx';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  description: string;
  /** A verb and its noun, for example 'Revoke invitation'. */
  confirmLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  pending?: boolean;
  pendingLabel?: string;
  onConfirm: () => void;
  onCancel: () => void;
  /** Where the focus goes when what opened the question is gone with the answer. */
  finalFocus?: DialogProps['finalFocus'];
}

/** Focus starts on the harmless answer. */
export function ConfirmDialog(props: ConfirmDialogProps): React.JSX.Element {
  const {
    open,
    title,
    description,
    confirmLabel,
    cancelLabel = 'Cancel',
    destructive = true,
    pending = false,
  } = props;
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      role="alertdialog"
      title={title}
      description={description}
      initialFocus={cancel}
      finalFocus={props.finalFocus}
      className="max-w-md"
      onOpenChange={(next) => {
        if (!next && !pending) props.onCancel();
      }}
    >
      <DialogActions>
        <Button ref={cancel} variant="outline" disabled={pending} onClick={props.onCancel}>
          {cancelLabel}
        </Button>
        <Button
          variant={destructive ? 'destructive' : 'default'}
          pending={pending}
          pendingLabel={props.pendingLabel}
          onClick={props.onConfirm}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
