/** Verifies a security key, or a code sent by text message, as second factor. */
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { VerificationCodeForm } from './verification-code-form.tsx';

interface SecondFactorProps {
  factorId: string;
  onVerified: () => void;
}

export function SecondFactorKey({ factorId, onVerified }: SecondFactorProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  const { pending, submit } = useSubmit({
    action: 'verify-key',
    leaves: true,
    send: async () => {
      setError(undefined);
      await (await loadAuthService()).verifySecurityKey(factorId);
    },
    done: onVerified,
    failed: (thrown) => setError(errorMessage(thrown)),
  });
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        Have your security key ready. Your browser asks you to insert or touch it.
      </p>
      <Button
        pending={pending}
        pendingLabel="Waiting for your key..."
        size="lg"
        onClick={() => void submit()}
      >
        <KeyRound aria-hidden />
        Use security key
      </Button>
      <p role="alert" className="text-[0.8125rem] text-destructive empty:hidden">
        {error}
      </p>
    </div>
  );
}

/** Sends the code only on request, because messages cost money. */
export function SecondFactorPhone({ factorId, onVerified }: SecondFactorProps): React.JSX.Element {
  const [challengeId, setChallengeId] = useState<string>();
  const [error, setError] = useState<string>();
  const { pending, submit } = useSubmit<void, string>({
    action: 'send-phone-code',
    send: async () => {
      setError(undefined);
      return (await loadAuthService()).sendPhoneCode(factorId);
    },
    done: setChallengeId,
    failed: (thrown) => setError(errorMessage(thrown)),
  });
  return (
    <div className="grid gap-4">
      {challengeId !== undefined && (
        <VerificationCodeForm
          label="Code"
          helpText="The six-digit code from the text message."
          submitLabel="Verify code"
          onSubmit={async (code) => (await loadAuthService()).verifyPhoneCode(factorId, challengeId, code)}
          onVerified={onVerified}
        />
      )}
      <Button
        variant={challengeId === undefined ? 'default' : 'outline'}
        size="lg"
        pending={pending}
        pendingLabel="Sending..."
        onClick={() => void submit()}
      >
        {challengeId === undefined ? 'Send code to my phone' : 'Send another code'}
      </Button>
      <p role="alert" className="text-[0.8125rem] text-destructive empty:hidden">
        {error}
      </p>
    </div>
  );
}
