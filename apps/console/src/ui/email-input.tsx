/** An input for the email address of another person: email keyboard, no autocorrection, no autofill. */
import { Input, type InputProps } from './input.tsx';

export function EmailInput(props: InputProps): React.JSX.Element {
  return (
    <Input
      type="email"
      inputMode="email"
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
      {...props}
    />
  );
}
