/** Removes a session that still requires a step, for example one of another user. */
import { useSubmit } from '../../forms/use-submit.ts';
import { loadAuthService } from './load-auth-service.ts';
import { Button } from '../../ui/button.tsx';

interface SignOutLinkProps {
  children: string;
  /** The session has been removed. */
  onSignedOut: () => void;
}

export function SignOutLink({ children, onSignedOut }: SignOutLinkProps): React.JSX.Element {
  const { submit, pending } = useSubmit({
    action: 'sign-out',
    send: async () => (await loadAuthService()).endLocalSession({ revoke: true }),
    done: onSignedOut,
    failed: 'Sign out failed',
  });
  return (
    <div className="mt-2 flex justify-center">
      <Button variant="link" size="inline" pending={pending} onClick={() => void submit()}>
        {children}
      </Button>
    </div>
  );
}
