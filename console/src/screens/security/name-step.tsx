/** The form of a dialog that asks for a name before it does something under it. */
import { readDeviceName } from './names.ts';
import { OneFieldForm, type Reading } from './one-field-form.tsx';
import { securityText } from './security-text.ts';

export interface NameStepProps {
  name: string;
  /** By default what a device may be called. */
  read?: ((typed: string) => Reading) | undefined;
  hint?: string | undefined;
  autoComplete?: 'off' | 'name' | undefined;
  submitLabel: string;
  pendingLabel: string;
  onCancel: () => void;
  /** What it rejects with stands at the field. */
  onSubmit: (name: string) => Promise<unknown>;
  onPending?: (pending: boolean) => void;
}

export function NameStep({
  name,
  read = readDeviceName,
  autoComplete = 'off',
  ...form
}: NameStepProps): React.JSX.Element {
  return (
    <OneFieldForm
      {...form}
      label={securityText.nameField.label}
      read={read}
      input={{ name: 'name', defaultValue: name, autoComplete, spellCheck: false }}
    />
  );
}
