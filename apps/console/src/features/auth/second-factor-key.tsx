/** Verifies a security key as second factor. */
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { Button } from '../../ui/button.tsx';

interface SecondFactorKeyProps {
  factorId: string;
  onVerified: () => void;
}

export function SecondFactorKey({ factorId, onVerified }: SecondFactorKeyProps): React.JSX.Element {
  const [error, setError] = useState<string>();
  const [pending, setPending] = useState(false);
  const verify = async (): Promise<void> => {
    setPending(true);
    setError(undefined);
    try {
      const outcome = await (await loadAuthService()).verifySecurityKey(factorId);
      if (outcome.ok) {
        onVerified();
        return;
      }
      setError(outcome.error.message);
    } catch (thrown) {
      setError(errorMessage(thrown));
    }
    setPending(false);
  };
  return (
    <div className="grid gap-4">
      <p className="text-sm text-muted">
        Have your security key ready. Your browser asks you to insert or touch it.
      </p>
      <Button
        pending={pending}
        pendingLabel="Waiting for your key..."
        size="lg"
        onClick={() => void verify()}
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
