/** A password input with a button that shows the password, because users mistype text that they cannot see. */
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useEffect, useRef, useState } from 'react';
import { iconButtonStyle } from './button.tsx';
import { cx } from './cx.ts';
import { Input, type InputProps } from './input.tsx';

/** The password is hidden initially, and again after each submit of the form. */
export function PasswordInput({ className, ...rest }: InputProps): React.JSX.Element {
  const [shown, setShown] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const form = button.current?.form;
    const hide = (): void => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, []);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
        className={cx('pr-10', className)}
      />
      <button
        ref={button}
        type="button"
        aria-label={shown ? 'Hide password' : 'Show password'}
        aria-controls={rest.id}
        className={cx(iconButtonStyle, 'absolute top-1/2 right-1 -translate-y-1/2')}
        // Keep the focus in the field, so that the on-screen keyboard of a phone stays open.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => setShown(!shown)}
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
