/** The checklist of a new instance: each step with the link or button that starts it. */
import { type SetupStep, setupSteps, type SetupStepsResponse } from '@lanternrock/contract/setup-steps';
import { Link } from '@tanstack/react-router';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import type { ReactNode } from 'react';
import { runtimeConfig } from '../../api/backend.ts';
import { Button, buttonStyle } from '../../ui/button.tsx';
import { Card, CardDescription, CardTitle } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { screenTitleId } from '../../ui/screen-header.tsx';
import { setupText as text } from './setup-checklist-text.ts';

const titleId = 'setup-checklist-title';

interface SetupChecklistProps {
  open: boolean;
  steps: SetupStepsResponse | undefined;
  onCreateAccount: () => void;
  onDismiss: () => void;
}

export function SetupChecklist({ open, steps, onCreateAccount, onDismiss }: SetupChecklistProps): ReactNode {
  if (!open || steps === undefined) return null;
  return (
    <Card aria-labelledby={titleId} className="shrink-0 print:hidden">
      <div className="flex items-start justify-between gap-4 px-5 py-3">
        <div className="grid min-w-0 gap-0.5">
          <CardTitle id={titleId} className="wrap-anywhere">
            {text.title(runtimeConfig.productName)}
          </CardTitle>
          <CardDescription>{text.progress(steps.done.length, setupSteps.length)}</CardDescription>
        </div>
        <Button
          variant="ghost"
          size="sm"
          aria-label={text.dismissLabel}
          onClick={() => {
            onDismiss();
            // The button disappears.
            document.getElementById(screenTitleId)?.focus();
          }}
        >
          {text.dismiss}
        </Button>
      </div>
      <ul className="grid @3xl/screen:grid-cols-2">
        {setupSteps.map((step) => (
          <Step key={step} step={step} steps={steps} onCreateAccount={onCreateAccount} />
        ))}
      </ul>
    </Card>
  );
}

interface StepProps {
  step: SetupStep;
  steps: SetupStepsResponse;
  onCreateAccount: () => void;
}

function Step({ step, steps, onCreateAccount }: StepProps): React.JSX.Element {
  const { title, description } = text.steps[step];
  const isDone = steps.done.includes(step);
  const isInvited = step === 'second_administrator' && steps.invitation_pending;
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex gap-3 border-t border-border px-5 py-2.5 @3xl/screen:even:border-l">
      <Icon aria-hidden className={cx('size-5 shrink-0', isDone ? 'text-success' : 'text-muted')} />
      <div
        className={cx(
          'flex min-w-0 flex-1 flex-wrap gap-x-3 gap-y-2',
          // The only line is beside the icon.
          isDone ? 'items-start' : 'items-center',
        )}
      >
        <div className="grid min-w-40 flex-1 gap-0.5">
          <p className={cx('text-sm font-medium', isDone ? 'text-muted' : 'text-foreground')}>{title}</p>
          {!isDone && (
            <p className="text-[0.8125rem] text-muted">{isInvited ? text.invitationPending : description}</p>
          )}
        </div>
        {isDone ? (
          <span className="text-[0.8125rem] text-muted">{text.done}</span>
        ) : (
          <StepAction step={step} isInvited={isInvited} onCreateAccount={onCreateAccount} />
        )}
      </div>
    </li>
  );
}

const linkStyle = buttonStyle({ variant: 'outline', size: 'sm' });

/** Starts the step with one press: on its screen, with its dialog open. */
function StepAction({
  step,
  isInvited,
  onCreateAccount,
}: Omit<StepProps, 'steps'> & { isInvited: boolean }): React.JSX.Element {
  const { action } = text.steps[step];
  switch (step) {
    case 'name':
      return (
        <Link to="/admin/me/security" search={{ edit: 'name' }} className={linkStyle}>
          {action}
        </Link>
      );
    case 'mail_server':
    case 'sender':
      return (
        <Link to="/admin/notifications" className={linkStyle}>
          {action}
        </Link>
      );
    case 'second_factor':
      return (
        <Link to="/admin/me/security" search={{ add: 'app' }} className={linkStyle}>
          {action}
        </Link>
      );
    case 'second_administrator':
      return (
        <Link
          to="/admin/platform-admins"
          search={isInvited ? { show: 'pending' } : { invite: true }}
          className={linkStyle}
        >
          {isInvited ? text.showInvitations : action}
        </Link>
      );
    case 'first_account':
      return (
        <Button variant="outline" size="sm" onClick={onCreateAccount}>
          {action}
        </Button>
      );
  }
}
