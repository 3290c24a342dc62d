/**
 * For a form in a dialog whose open state is part of the URL: Cancel, Escape, Back and a press beside the
 * dialog all ask before typed input is lost. Going to another screen is asked about elsewhere.
 */
import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useUnsavedChanges } from './unsaved-changes.ts';

interface CloseGuardProps {
  dirty: boolean;
  /** True when the dialog is still open at the address with these search params. */
  staysOpen: (search: Readonly<Record<string, unknown>>) => boolean;
  title: string;
  description: string;
  confirmLabel: string;
  cancelLabel: string;
}

/** A navigation with `ignoreBlocker` passes: the person has chosen already, or the form is saved. */
export function CloseGuard(props: CloseGuardProps): React.JSX.Element {
  const { dirty, staysOpen } = props;
  useUnsavedChanges(dirty);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && current.pathname === next.pathname && !staysOpen({ ...next.search }),
    enableBeforeUnload: false,
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
