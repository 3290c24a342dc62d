/** Enrolls a security key as second factor: asks for a name, then the browser prompts for the key. */
import { auth } from '../../api/auth.ts';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';
import { unwrapAuth } from '../../api/auth-requests.ts';
import { NameDialog } from './name-dialog.tsx';
import { findUnusedName } from './parse-names.ts';
import { securityText } from './security-text.ts';
import { deleteUnverifiedFactors } from './unverified-factors.ts';
import { useSecurityMutation } from './use-security-mutation.ts';

const text = securityText.key;

interface SecurityKeyDialogProps {
  open: boolean;
  onClose: () => void;
  usedNames: readonly string[];
}

/** Registers a security key. A canceled prompt leaves an unverified factor whose name would block the next attempt. */
const register = async (friendlyName: string): Promise<void> => {
  try {
    await unwrapAuth(auth.mfa.webauthn.register({ friendlyName }), fromWebAuthnError);
  } catch (error) {
    await deleteUnverifiedFactors(friendlyName).catch(() => undefined);
    throw error;
  }
};

export function SecurityKeyDialog({ open, onClose, usedNames }: SecurityKeyDialogProps): React.JSX.Element {
  const registerMutation = useSecurityMutation<string>({
    run: register,
    errorTitle: '',
    successToast: () => ({ title: text.done, description: text.doneDescription }),
  });
  return (
    <NameDialog
      open={open}
      onClose={onClose}
      title={text.title}
      description={text.description}
      name={findUnusedName(text.suggestion, usedNames)}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
      onSubmit={(name) => registerMutation.mutateAsync(name)}
    />
  );
}
