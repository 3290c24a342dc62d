/** Confirms that a blocked navigation may discard unsaved input. */
import { useEffect, useSyncExternalStore } from 'react';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

const suspensions = new Set<symbol>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * Cancels blocked navigations without a confirmation while the component is mounted. For a dialog that must be completed
 * first: of two modal dialogs, one would cover the other.
 */
export const useSuspendedLeaveConfirmations = (): void => {
  useEffect(() => {
    const suspension = Symbol('suspension');
    const notify = (): void => listeners.forEach((listener) => listener());
    suspensions.add(suspension);
    notify();
    return () => {
      suspensions.delete(suspension);
      notify();
    };
  }, []);
};

export interface LeaveConfirmationTexts {
  title: string;
  description: string;
  confirmLabel: string;
  cancelLabel: string;
}

interface LeaveConfirmationProps extends LeaveConfirmationTexts {
  /** The result of `useBlocker`. */
  blocker: {
    status: 'idle' | 'blocked';
    proceed?: (() => void) | undefined;
    reset?: (() => void) | undefined;
  };
}

export function LeaveConfirmation({ blocker, ...texts }: LeaveConfirmationProps): React.JSX.Element {
  const isSuspended = useSyncExternalStore(subscribe, () => suspensions.size > 0);
  const { status, proceed, reset } = blocker;
  useEffect(() => {
    if (isSuspended && status === 'blocked') reset?.();
  }, [isSuspended, status, reset]);
  return (
    <ConfirmDialog
      open={status === 'blocked' && !isSuspended}
      title={texts.title}
      description={texts.description}
      confirmLabel={texts.confirmLabel}
      cancelLabel={texts.cancelLabel}
      onConfirm={() => proceed?.()}
      onCancel={() => reset?.()}
    />
  );
}
