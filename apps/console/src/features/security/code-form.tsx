/** The code that finishes adding a second step. */
import { BackendError, errorMessage } from '../../api/errors.ts';
import { codeInputProps, parseCode } from './code-input.ts';
import { SingleFieldForm } from './single-field-form.tsx';
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
    <SingleFieldForm
      {...form}
      takesFocus
      label={text.label}
      input={codeInputProps}
      read={parseCode}
      problemOf={(failure) =>
        failure instanceof BackendError && failure.code === 'mfa_verification_failed'
          ? wrongCode
          : errorMessage(failure)
      }
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    />
  );
}
