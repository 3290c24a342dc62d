/**
 * Confirms closing a form dialog with unsaved input (Cancel, Escape, Back, click outside). For dialogs whose
 * open state is in the URL. Also confirms navigation to another screen.
 */
import { useBlocker } from '@tanstack/react-router';
import { LeaveGuard } from './leave-guard.tsx';
import { LeaveQuestion, type LeaveQuestionTexts } from './leave-question.tsx';

export interface CloseGuardProps extends LeaveQuestionTexts {
  dirty: boolean;
  /** True while the input is being sent: closing cancels the request, and asks no question. */
  sending: boolean;
  /** Returns true if the dialog is open with these search params. */
  staysOpen: (search: Readonly<Record<string, unknown>>) => boolean;
}

/** Does not block a navigation with `ignoreBlocker`: the user has confirmed it, or the form is saved. */
export function CloseGuard(props: CloseGuardProps): React.JSX.Element {
  const { dirty, sending, staysOpen } = props;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && !sending && current.pathname === next.pathname && !staysOpen({ ...next.search }),
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <>
      <LeaveGuard active={dirty} />
      <LeaveQuestion
        blocker={blocker}
        title={props.title}
        description={props.description}
        confirmLabel={props.confirmLabel}
        cancelLabel={props.cancelLabel}
      />
    </>
  );
}
