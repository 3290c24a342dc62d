/** Dialog over the console for an administrator whose second factor is a passkey, in a session without it. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { auth } from '../api/auth.ts';
import { ApiError } from '../api/errors.ts';
import { findField, parseTokenClaims } from '../api/json.ts';
import { readStoredSession } from '../api/stored-session.ts';
import { loadAuthService } from '../features/auth/load-auth-service.ts';
import { useSubmit } from '../forms/use-submit.ts';
import { stopSessionWatch } from '../session/session-watch.ts';
import { requestSignOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { dismissErrorToasts } from '../ui/toast.ts';

const text = {
  title: 'Sign in with your passkey to continue',
  description:
    'All administrators must use a second factor, and you have a passkey that counts as one. If you lost it, sign out and select “Forgot password?”. The new password removes your passkeys, unless you keep them. You can then set up a second factor.',
  signIn: 'Use a passkey',
  signingIn: 'Waiting for your passkey...',
  signOut: 'Sign Out',
  failed: 'Sign in failed',
  notVerified:
    'This passkey only checked that you are present. Use one that asks for your PIN, fingerprint or face.',
} as const;

const readClaim = (name: string): unknown =>
  findField(parseTokenClaims(readStoredSession()?.access_token ?? ''), name);

/**
 * Replaces the session by that of a passkey, and revokes the previous one.
 *
 * @throws ApiError `user_not_verified` if the new session still has AAL1
 */
const replaceSession = async (): Promise<void> => {
  const [userId, sessionId] = [readClaim('sub'), readClaim('session_id')];
  const service = await loadAuthService();
  await service.signInWithPasskey();
  // Another user's passkey: the session store reloads the page.
  if (readClaim('sub') !== userId) return;
  // The service would respond to its long poll with 401.
  stopSessionWatch();
  // The new session is valid also if this fails.
  if (typeof sessionId === 'string')
    await auth.request(`/user/sessions/${sessionId}`, { method: 'DELETE' }).catch(() => undefined);
  if (readClaim('aal') !== 'aal2')
    throw new ApiError({ kind: 'auth', status: 403, code: 'user_not_verified', message: text.notVerified });
};

export function PasskeyDialog(): React.JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  const client = useQueryClient();
  const { pending, submit } = useSubmit({
    action: 'sign-in',
    failed: text.failed,
    send: replaceSession,
    done: dismissErrorToasts,
    // Requests were rejected before.
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <Dialog
      open
      dismissible={false}
      onOpenChange={() => undefined}
      title={text.title}
      description={text.description}
      initialFocus={button}
    >
      <DialogActions>
        <Button variant="outline" onClick={() => requestSignOut()}>
          {text.signOut}
        </Button>
        <Button ref={button} pending={pending} pendingLabel={text.signingIn} onClick={() => void submit()}>
          {text.signIn}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
