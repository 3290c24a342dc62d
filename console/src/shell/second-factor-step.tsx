/** The second step as a page of the sign-in document, for people who have set up a second factor. */
import { messageOf } from '../backend-error.ts';
import { loadAuthService } from '../load-auth-service.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { AuthHeading } from './auth-frame.tsx';
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
  const leave = async (): Promise<void> => {
    try {
      await (await loadAuthService()).forgetSession();
      props.onLeave();
    } catch (error) {
      toast({ title: 'Sign out failed', description: messageOf(error), variant: 'destructive' });
    }
  };
  return (
    <>
      <AuthHeading title="Confirm It's You">{props.children}</AuthHeading>
      <SecondFactorForm onVerified={props.onVerified} />
      <Button variant="link" className="mx-auto mt-4 flex h-8 px-1" onClick={() => void leave()}>
        {props.leaveLabel}
      </Button>
    </>
  );
}
