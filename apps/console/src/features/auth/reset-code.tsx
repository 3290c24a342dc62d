/** The six digits of a reset mail, for whoever reads it on another device. Loaded when it is asked for. */
import { useAuthNavigation } from './auth-navigation.ts';
import { loadAuthService } from './load-auth-service.ts';
import { AuthHeading } from './auth-frame.tsx';
import { VerificationCodeForm } from './verification-code-form.tsx';
import { Button } from '../../ui/button.tsx';

interface ResetCodeProps {
  /** Where the mail went. */
  email: string;
  onBack: () => void;
}

export function ResetCode({ email, onBack }: ResetCodeProps): React.JSX.Element {
  const { go } = useAuthNavigation();
  return (
    <>
      <AuthHeading title="Enter the Code">
        From the reset mail to <bdi className="font-medium wrap-anywhere text-foreground">{email}</bdi>
      </AuthHeading>
      <div className="grid gap-4">
        <VerificationCodeForm
          label="Code"
          hint="The six digits that stand below the mail's button."
          submitLabel="Verify code"
          onSubmit={async (code) => (await loadAuthService()).verifyResetCode(email, code)}
          onVerified={() => go('/auth/set-password?setup=true')}
        />
        <Button variant="link" className="h-8 justify-self-center px-1" onClick={onBack}>
          Back to reset
        </Button>
      </div>
    </>
  );
}
