/** Button to sign in with a passkey. */
import Fingerprint from 'lucide-react/icons/fingerprint-pattern';
import { useEffect, useState } from 'react';
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import type { SessionStep } from '../../session/session-check.ts';
import { Button } from '../../ui/button.tsx';

interface PasskeyButtonProps {
  onSignedIn: (step: SessionStep) => void;
  onFailed: (message: string) => void;
}

/**
 * Part of the prerendered HTML, so that hydration causes no layout shift. Removed if the backend or the
 * browser does not support passkeys.
 */
export function PasskeyButton({ onSignedIn, onFailed }: PasskeyButtonProps): React.JSX.Element | null {
  const [usable, setUsable] = useState(true);
  const [pending, setPending] = useState(false);
  useEffect(() => setUsable('PublicKeyCredential' in window && hasFeature('passkeys')), []);
  if (!usable) return null;
  const signIn = async (): Promise<void> => {
    setPending(true);
    try {
      const outcome = await (await loadAuthService()).signInWithPasskey();
      if (outcome.ok) {
        onSignedIn(outcome.value);
        return;
      }
      onFailed(outcome.error.message);
    } catch (error) {
      onFailed(errorMessage(error));
    }
    setPending(false);
  };
  return (
    <Button
      variant="outline"
      size="lg"
      pending={pending}
      pendingLabel="Waiting for your passkey..."
      onClick={() => void signIn()}
    >
      <Fingerprint aria-hidden />
      Use a passkey
    </Button>
  );
}
