/** The form of a dialog that asks for a name before it does something under it. */
import { parseDeviceName } from './parse-names.ts';
import { SingleFieldForm, type ParseResult } from './single-field-form.tsx';
import { securityText } from './security-text.ts';

export interface NameFormProps {
  name: string;
  /** By default what a device may be called. */
  read?: ((typed: string) => ParseResult) | undefined;
  hint?: string | undefined;
  autoComplete?: 'off' | 'name' | undefined;
  submitLabel: string;
  pendingLabel: string;
  onCancel: () => void;
  /** What it rejects with stands at the field. */
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
