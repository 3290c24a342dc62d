/** Page of the sign-in document that verifies a second factor. */
import { hasFeature } from '../../api/runtime-config.ts';
import { AuthHeading } from './auth-frame.tsx';
import { readRecoveryCodeNotice } from './recovery-code-notice.ts';
import { SignOutLink } from './sign-out-link.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { queueToast } from '../../ui/queued-toasts.ts';

interface SecondFactorStepProps {
  /** Text that names the next step. */
  children: string;
  signOutLabel: string;
  onVerified: () => void;
  /** The AAL1 session has been removed. */
  onSignedOut: () => void;
}

export function SecondFactorStep(props: SecondFactorStepProps): React.JSX.Element {
  return (
    <>
      <AuthHeading title="Confirm It's You">{props.children}</AuthHeading>
      <SecondFactorForm
        onVerified={(byRecoveryCode) => {
          if (byRecoveryCode) void queueRecoveryCodeNotice().then(props.onVerified);
          else props.onVerified();
        }}
      >
        {hasFeature('extensions') && <LostFactor />}
        <SignOutLink onSignedOut={props.onSignedOut}>{props.signOutLabel}</SignOutLink>
      </SecondFactorForm>
    </>
  );
}

/** The next document shows it. */
const queueRecoveryCodeNotice = async (): Promise<void> => {
  const notice = await readRecoveryCodeNotice();
  if (notice !== null) queueToast(notice);
};

/** Explains the recovery from a lost factor. It needs another person, because an email must not remove a second factor. */
function LostFactor(): React.JSX.Element {
  return (
    <p className="mt-5 text-[0.8125rem] text-muted">
      Lost your second factor? Ask another administrator to remove it, or contact the operator of this
      service.
    </p>
  );
}
