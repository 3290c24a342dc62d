/** /auth/set-password: the last step of an invitation or a reset (specification section 2). */
import { useEffect, useState } from 'react';
import { openConsole, useAuthNavigation } from '../../auth-navigation.ts';
import { loadAuthService } from '../../load-auth-service.ts';
import { homePath } from '../../next-path.ts';
import {
  asksForPasswordSetup,
  clearPasswordSetupMarker,
  hasPasswordSetupMarker,
} from '../../password-setup-marker.ts';
import { Waiting } from '../../shell/waiting.tsx';
import { stayOnSignInOnce } from '../../stored-session.ts';
import { toast } from '../../ui/toast.ts';
import { NewPasswordForm } from './new-password-form.tsx';

export const validatingText = 'Validating your invitation...';

type Entry =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'asked'; email: string };

/** Who may set a password here. The service is asked, because a stored session may have ended. */
const enter = async (): Promise<Entry> => {
  const service = await loadAuthService();
  const found = await service.checkSession();
  if (found.kind !== 'session') return { kind: 'invalid' };
  const confirmed = await service.confirmUser();
  if (!confirmed.ok) return { kind: 'invalid' };
  const asked =
    asksForPasswordSetup(location.search) || hasPasswordSetupMarker() || found.step === 'set-password';
  return asked ? { kind: 'asked', email: confirmed.value.email ?? '' } : { kind: 'not-asked' };
};

export function SetPasswordScreen(): React.JSX.Element {
  const { go } = useAuthNavigation();
  const [email, setEmail] = useState<string>();
  useEffect(() => {
    let gone = false;
    void enter()
      .catch((): Entry => ({ kind: 'invalid' }))
      .then((entry) => {
        if (gone) return;
        if (entry.kind === 'asked') setEmail(entry.email);
        else if (entry.kind === 'not-asked') openConsole(homePath);
        else {
          clearPasswordSetupMarker();
          stayOnSignInOnce();
          toast({
            title: 'Invalid or expired link',
            description: 'Please request a new invitation.',
            variant: 'destructive',
          });
          go('/auth');
        }
      });
    return () => {
      gone = true;
    };
  }, [go]);
  return email === undefined ? <Waiting text={validatingText} /> : <NewPasswordForm email={email} />;
}
