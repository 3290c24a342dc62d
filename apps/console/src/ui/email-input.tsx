/** An address somebody else has: with the right keyboard, without corrections, and not from a password manager. */
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
