/** The code that finishes adding a second step. */
import { BackendError, messageOf } from '../../backend-error.ts';
import { codeInput, readCode } from './code-input.ts';
import { OneFieldForm } from './one-field-form.tsx';
import { securityText } from './security-text.ts';

const text = securityText.code;

interface CodeFormProps {
  hint: string;
  wrongCode: string;
  onCancel: () => void;
  onSubmit: (code: string) => Promise<unknown>;
}

export function CodeForm({ wrongCode, ...form }: CodeFormProps): React.JSX.Element {
  return (
    <OneFieldForm
      {...form}
      takesFocus
      label={text.label}
      input={codeInput}
      read={readCode}
      problemOf={(failure) =>
        failure instanceof BackendError && failure.code === 'mfa_verification_failed'
          ? wrongCode
          : messageOf(failure)
      }
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    />
  );
}
