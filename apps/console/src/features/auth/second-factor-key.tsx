/** Verifies a security key as second factor. */
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { useSubmit } from '../../forms/use-submit.ts';
import { Button } from '../../ui/button.tsx';

interface SecondFactorKeyProps {
  factorId: string;
  onVerified: () => void;
}

export function SecondFactorKey({ factorId, onVerified }: SecondFactorKeyProps): React.JSX.Element {
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
