/** Form for the code that verifies a new second factor. */
import { ApiError, errorMessage } from '../../api/errors.ts';
import { codeInputProps, parseCode } from './code-input.ts';
import { SingleFieldForm } from './single-field-form.tsx';
import { securityText } from './security-text.ts';

const text = securityText.code;

interface CodeFormProps {
  helpText: string;
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
      formatError={(error) =>
        error instanceof ApiError && error.code === 'mfa_verification_failed'
          ? wrongCode
          : errorMessage(error)
      }
      submitLabel={text.submit}
      pendingLabel={text.submitting}
    />
  );
}
