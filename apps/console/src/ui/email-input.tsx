/** An input for the email address of another person: email keyboard, no autocorrection, no autofill. */
import type { ComponentProps } from 'react';
import { Input } from './input.tsx';

export function EmailInput(props: ComponentProps<'input'>): React.JSX.Element {
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
