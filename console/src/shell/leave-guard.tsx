/** Asks before a navigation, Back or a reload throws typed input away. */
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useUnsavedWork } from '../unsaved-work.ts';

interface Place {
  readonly pathname: string;
  readonly search: Readonly<Record<string, unknown>>;
}

interface LeaveGuardProps {
  dirty: boolean;
  /** True for places where the form stays on screen, for example when only a filter changes. */
  keepsForm: (next: Place) => boolean;
  title: string;
  description: string;
  confirmLabel: string;
  cancelLabel: string;
}

/** A navigation with `ignoreBlocker` passes: the person has chosen already, or the form is saved. */
export function LeaveGuard(props: LeaveGuardProps): React.JSX.Element {
  const { dirty, keepsForm } = props;
  useUnsavedWork(dirty);
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => dirty && !keepsForm({ pathname: next.pathname, search: { ...next.search } }),
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={blocker.status === 'blocked'}
      title={props.title}
      description={props.description}
      confirmLabel={props.confirmLabel}
      cancelLabel={props.cancelLabel}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  );
}
