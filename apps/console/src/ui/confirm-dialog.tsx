/** Confirms an action that loses data or cannot be undone. The title names the object and the action. */
import { useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions, type DialogProps } from './dialog.tsx';

interface ConfirmDialogProps extends Pick<DialogProps, 'inUrl'> {
  open: boolean;
  title: string;
  description: string;
  /** A verb and its object, for example `Revoke invitation`. */
  confirmLabel: string;
  cancelLabel?: string;
  destructive?: boolean;
  pending?: boolean;
  pendingLabel?: string;
  onConfirm: () => void;
  /** Also called while pending. */
  onCancel: () => void;
  /** The element to focus on close, if the action removes the element that opened the dialog. */
  finalFocus?: DialogProps['finalFocus'];
}

/** The cancel button has the initial focus. */
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
      inUrl={props.inUrl ?? false}
      role="alertdialog"
      title={title}
      description={description}
      initialFocus={cancel}
      finalFocus={props.finalFocus}
      size="md"
      onOpenChange={(next) => {
        if (!next) props.onCancel();
      }}
    >
      <DialogActions>
        <Button ref={cancel} variant="outline" onClick={props.onCancel}>
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
