/** The second step as a page of the sign-in document, for people who have set up a second factor. */
import { AuthHeading } from './auth-frame.tsx';
import { LeaveSession } from './leave-session.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

interface SecondFactorStepProps {
  /** What waits behind the step. */
  children: string;
  leaveLabel: string;
  onVerified: () => void;
  /** The half-finished session has been given up. */
  onLeave: () => void;
}

export function SecondFactorStep(props: SecondFactorStepProps): React.JSX.Element {
  return (
    <>
      <AuthHeading title="Confirm It's You">{props.children}</AuthHeading>
      <SecondFactorForm onVerified={props.onVerified} />
      <LeaveSession onLeave={props.onLeave}>{props.leaveLabel}</LeaveSession>
    </>
  );
}
