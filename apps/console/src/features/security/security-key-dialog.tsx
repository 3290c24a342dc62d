/** Enrolls a security key as second factor: requests a name, then the browser prompts for the key. */
import { auth, unwrap } from '../../api/auth.ts';
import { fromWebAuthnError } from '../../api/webauthn-error.ts';
import { requireWebAuthn } from '../../api/webauthn-support.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import type { DialogProps } from '../../ui/dialog.tsx';
import { findUnusedName, nameField } from './security-fields.tsx';
import { securityText } from './security-text.ts';
import { deleteUnverifiedFactors } from './unverified-factors.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.key;

interface SecurityKeyDialogProps {
  open: boolean;
  /** True if the open state is in the URL. */
  inUrl: boolean;
  /** `confirmed`: the factor was added. */
  onClose: (confirmed: boolean) => void;
  usedNames: readonly string[];
  finalFocus?: DialogProps['finalFocus'];
}

/** Registers a security key. A canceled prompt leaves an unverified factor whose name would block the next attempt. */
const register = async (friendlyName: string): Promise<void> => {
  requireWebAuthn();
  try {
    await unwrap(auth.mfa.webauthn.register({ friendlyName }), {
      toApiError: (error) => fromWebAuthnError(error, 'registration'),
    });
  } catch (error) {
    await deleteUnverifiedFactors(friendlyName).catch(() => undefined);
    throw error;
  }
};

export function SecurityKeyDialog({
  open,
  inUrl,
  onClose,
  usedNames,
  finalFocus,
}: SecurityKeyDialogProps): React.JSX.Element {
  const registration = useSecurityChange<{ name: string }>({
    action: 'add-key',
    send: ({ name }) => register(name),
    done: () => ({ title: text.done, description: text.doneDescription(usedNames.length === 0) }),
  });
  return (
    <FormDialog
      inUrl={inUrl}
      {...registration}
      {...nameField(findUnusedName(text.suggestion, usedNames))}
      open={open}
      finalFocus={finalFocus}
      onClose={onClose}
      title={text.title}
      description={text.description}
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    />
  );
}
