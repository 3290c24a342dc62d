/** Form with a name field. */
import { parseDeviceName } from './parse-names.ts';
import { SingleFieldForm, type ParseResult } from './single-field-form.tsx';
import { securityText } from './security-text.ts';

export interface NameFormProps {
  name: string;
  /** Defaults to `parseDeviceName`. */
  read?: ((typed: string) => ParseResult) | undefined;
  helpText?: string | undefined;
  autoComplete?: 'off' | 'name' | undefined;
  submitLabel: string;
  pendingLabel: string;
  onCancel: () => void;
  /** The field shows the error of a rejection. */
  onSubmit: (name: string) => Promise<unknown>;
  onPending?: (pending: boolean) => void;
}

export function NameForm({
  name,
  read = parseDeviceName,
  autoComplete = 'off',
  ...form
}: NameFormProps): React.JSX.Element {
  return (
    <SingleFieldForm
      {...form}
      label={securityText.nameField.label}
      read={read}
      input={{ name: 'name', defaultValue: name, autoComplete, spellCheck: false }}
    />
  );
}
