/** A button that removes what a run has created, after a confirmation. */
import { useLayoutEffect, useRef, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.ts';
import type { RunUndo } from './csv-list.ts';

interface UndoButtonProps {
  text: RunUndo<unknown>['text'];
  /** Number of things that were created. */
  total: number;
  /** Describes which run, if there are several buttons. */
  describedBy?: string;
  size?: 'sm';
  onConfirm: () => Promise<void>;
}

export function UndoButton({
  text,
  total,
  describedBy,
  size,
  onConfirm,
}: UndoButtonProps): React.JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hasFailed = useRef(false);
  // The button is disabled while the dialog closes, so the focus cannot return to it before.
  useLayoutEffect(() => {
    if (pending || !hasFailed.current) return;
    hasFailed.current = false;
    if (document.activeElement === null || document.activeElement.contains(button.current))
      button.current?.focus({ preventScroll: true });
  }, [pending]);
  const confirm = async (): Promise<void> => {
    setOpen(false);
    setPending(true);
    try {
      await onConfirm();
    } catch (error) {
      hasFailed.current = true;
      toast({
        action: 'undo-run',
        title: text.failed,
        description: errorMessage(error),
        variant: 'destructive',
      });
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button
        ref={button}
        aria-describedby={describedBy}
        size={size}
        variant="outlineDestructive"
        pending={pending}
        pendingLabel={text.running}
        onClick={() => setOpen(true)}
      >
        {text.button}
      </Button>
      <ConfirmDialog
        open={isOpen}
        {...text.confirm(total)}
        onConfirm={() => void confirm()}
        onCancel={() => setOpen(false)}
        finalFocus={button}
      />
    </>
  );
}
