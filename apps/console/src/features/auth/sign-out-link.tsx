/** The way out of a session that is only half there: nobody has to finish what somebody else began. */
import { errorMessage } from '../../api/errors.ts';
import { loadAuthService } from './load-auth-service.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';

interface LeaveSessionProps {
  children: string;
  /** The session has been given up. */
  onLeave: () => void;
}

export function SignOutLink({ children, onLeave }: LeaveSessionProps): React.JSX.Element {
  const leave = async (): Promise<void> => {
    try {
      await (await loadAuthService()).clearSession();
      onLeave();
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
    <Button variant="link" className="mx-auto mt-2 flex h-8 px-1" onClick={() => void leave()}>
      {children}
    </Button>
  );
}
