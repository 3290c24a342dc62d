/** The second step of signing in, for people who have set up a second factor. */
import { messageOf } from '../../backend-error.ts';
import { loadAuthService } from '../../load-auth-service.ts';
import { AuthHeading } from '../../shell/auth-frame.tsx';
import { SecondFactorForm } from '../../shell/second-factor-form.tsx';
import { handOverToast } from '../../toast-handover.ts';
import { Button } from '../../ui/button.tsx';

interface SecondFactorStepProps {
  onVerified: () => void;
  /** The half-finished session has been given up. */
  onLeave: () => void;
  onError: (message: string) => void;
}

export function SecondFactorStep({ onVerified, onLeave, onError }: SecondFactorStepProps): React.JSX.Element {
  const leave = async (): Promise<void> => {
    try {
      await (await loadAuthService()).forgetSession();
      onLeave();
    } catch (error) {
      onError(messageOf(error));
    }
  };
  return (
    <>
      <AuthHeading title="Confirm It's You">Your account asks for a second step.</AuthHeading>
      <SecondFactorForm
        onVerified={() => {
          handOverToast({ title: 'Welcome back!', description: "You've successfully signed in." });
          onVerified();
        }}
      />
      <Button variant="link" className="mx-auto mt-4 flex h-8 px-1" onClick={() => void leave()}>
        Use another account
      </Button>
    </>
  );
}
