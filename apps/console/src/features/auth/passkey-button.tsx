/** Button to sign in with a passkey. */
import Fingerprint from 'lucide-react/icons/fingerprint-pattern';
import { useEffect, useState } from 'react';
import { type SubmitOptions, useSubmit } from '../../forms/use-submit.ts';
import { loadAuthService } from './load-auth-service.ts';
import { hasFeature } from '../../api/runtime-config.ts';
import type { SessionStep } from '../../session/session-check.ts';
import { Button } from '../../ui/button.tsx';

/**
 * Part of the prerendered HTML, so that hydration causes no layout shift. Removed if the backend or the
 * browser does not support passkeys.
 */
export function PasskeyButton(
  options: Omit<SubmitOptions<void, SessionStep>, 'send'>,
): React.JSX.Element | null {
  const [usable, setUsable] = useState(true);
  useEffect(
    // Without https browsers hide the interface. A press then explains it.
    () => setUsable(hasFeature('passkeys') && ('PublicKeyCredential' in window || !isSecureContext)),
    [],
  );
  const { pending, submit } = useSubmit<void, SessionStep>({
    ...options,
    send: async () => (await loadAuthService()).signInWithPasskey(),
  });
  if (!usable) return null;
  return (
    <Button
      variant="outline"
      size="lg"
      pending={pending}
      pendingLabel="Waiting for your passkey..."
      onClick={() => void submit()}
    >
      <Fingerprint aria-hidden />
      Use a passkey
    </Button>
  );
}
