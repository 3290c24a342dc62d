/** Removes a session that still requires a step, for example one of another user. */
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';

interface SignOutLinkProps {
  children: string;
  /** The session has been removed. */
  onSignedOut: () => void;
}

export function SignOutLink({ children, onSignedOut }: SignOutLinkProps): React.JSX.Element {
  const signOut = async (): Promise<void> => {
    try {
      await (await loadAuthService()).clearSession();
      onSignedOut();
    } catch (error) {
      toast({
        action: 'sign-out',
        title: 'Sign out failed',
        description: errorMessage(error),
        variant: 'destructive',
      });
    }
  };
  return (
    <div className="mt-2 flex justify-center">
      <Button variant="link" size="inline" onClick={() => void signOut()}>
        {children}
      </Button>
    </div>
  );
}
