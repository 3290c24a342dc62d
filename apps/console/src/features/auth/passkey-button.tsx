/** Signing in with a passkey of this device, instead of e-mail and password. */
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
 * In the prerendered HTML, so that nothing moves when it comes to life; it goes where the server
 * keeps no passkeys or the browser has none.
 */
export function PasskeyButton({ onSignedIn, onFailed }: PasskeyButtonProps): React.JSX.Element | null {
  const [usable, setUsable] = useState(true);
  const [pending, setPending] = useState(false);
  useEffect(() => setUsable('PublicKeyCredential' in window && hasFeature('passkeys')), []);
  if (!usable) return null;
  const ask = async (): Promise<void> => {
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
      className="h-10"
      pending={pending}
      pendingLabel="Waiting for your passkey..."
      onClick={() => void ask()}
    >
      <Fingerprint aria-hidden />
      Use a passkey
    </Button>
  );
}
