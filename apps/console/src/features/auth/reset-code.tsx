/** Form for the code of a recovery email, for users who read the email on another device. Loaded on demand. */
import { useAuthNavigation } from './auth-navigation.ts';
import { loadAuthService } from './load-auth-service.ts';
import { AuthHeading } from './auth-frame.tsx';
import { VerificationCodeForm } from './verification-code-form.tsx';
import { setPasswordPath } from '../../session/password-setup-marker.ts';
import { Button } from '../../ui/button.tsx';

interface ResetCodeProps {
  /** Recipient of the email. */
  email: string;
  onBack: () => void;
}

export function ResetCode({ email, onBack }: ResetCodeProps): React.JSX.Element {
  const { go } = useAuthNavigation();
  return (
    <>
      <AuthHeading title="Enter the Code">
        From the reset email to{' '}
        <bdi translate="no" className="font-medium wrap-anywhere text-foreground">
          {email}
        </bdi>
      </AuthHeading>
      <div className="grid gap-4">
        <VerificationCodeForm
          label="Code"
          helpText="The six-digit code below the button in the email."
          submitLabel="Verify code"
          onSubmit={async (code) => (await loadAuthService()).verifyResetCode(email, code)}
          onVerified={() => go(setPasswordPath)}
        />
        <Button variant="link" size="inline" className="justify-self-center" onClick={onBack}>
          Back to reset
        </Button>
      </div>
    </>
  );
}
