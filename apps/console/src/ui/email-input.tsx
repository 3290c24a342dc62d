/**
 * An input for the email address of another person: email keyboard, no autocorrection, no autofill. Not of the type `email`:
 * browsers convert an international domain by their own rules.
 */
import { Input, type InputProps } from './input.tsx';

export function EmailInput(props: InputProps): React.JSX.Element {
  return (
    <Input
      inputMode="email"
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
    />
  );
}
