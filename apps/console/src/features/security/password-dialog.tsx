/** Changes the password of the current user. */
import { setPasswordSchema } from '@lanternrock/contract/credentials';
import { useRef } from 'react';
import * as z from 'zod/mini';
import { auth, unwrap } from '../../api/auth.ts';
import { errorMessage, isUnanswered } from '../../api/errors.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { FormField } from '../../forms/form-field.tsx';
import { passwordHelpText } from '../../shared/password-help-text.ts';
import { PasswordInput } from '../../ui/password-input.tsx';
import {
  credentialError,
  ReauthenticationField,
  useReauthenticationMethod,
} from './reauthentication-field.tsx';
import { securityText } from './security-text.ts';
import { useSecurityChange } from './use-security-change.ts';

const text = securityText.account;

interface PasswordDialogProps {
  open: boolean;
  email: string;
  onClose: () => void;
}

interface Change {
  readonly credential: string;
  readonly password: string;
}

export function PasswordDialog({ open, email, onClose }: PasswordDialogProps): React.JSX.Element {
  const credential = useReauthenticationMethod(email, 'password');
  const wasUnanswered = useRef(false);
  const change = useSecurityChange<Change>({
    action: 'change-password',
    send: async ({ password, ...typed }) =>
      void (await unwrap(auth.updateUser({ password, ...credential.toBody(typed.credential) }))),
    done: () => ({ title: text.passwordDone, description: text.passwordDoneDescription }),
  });
  return (
    <FormDialog
      {...change}
      open={open}
      onClose={onClose}
      onClosed={() => {
        credential.choose(undefined);
        wasUnanswered.current = false;
      }}
      title={text.passwordTitle}
      description={text.passwordDetails}
      size="md"
      schema={z.intersection(credential.schema, setPasswordSchema)}
      defaults={{ credential: '', password: '', confirmPassword: '' }}
      fieldErrors={(error) => {
        wasUnanswered.current ||= isUnanswered(error);
        const message = credentialError(error);
        if (message !== undefined && wasUnanswered.current) return { credential: text.perhapsChanged };
        return message === undefined ? { password: errorMessage(error) } : { credential: message };
      }}
      submitLabel={text.savePassword}
      pendingLabel={text.savingPassword}
    >
      {(form) => (
        <>
          <ReauthenticationField form={form} email={email} credential={credential} />
          <FormField
            form={form}
            name="password"
            label={text.next}
            helpText={passwordHelpText()}
            control={PasswordInput}
            autoComplete="new-password"
          />
          <FormField
            form={form}
            name="confirmPassword"
            label={text.confirm}
            control={PasswordInput}
            autoComplete="new-password"
          />
        </>
      )}
    </FormDialog>
  );
}
