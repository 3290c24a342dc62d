/** Text inputs. They have 16 px text on phones, because iOS zooms into fields with smaller text. */
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** Shared classes of all controls that look like a text field. */
export const controlStyle = cx(
  'w-full min-w-0 rounded-md border border-input bg-raised px-3 text-foreground shadow-xs',
  'placeholder:text-muted disabled:cursor-not-allowed disabled:opacity-60',
  'aria-invalid:border-destructive',
);

export const controlTextStyle = 'text-base md:text-sm';

const sizes = {
  md: cx('h-9', controlTextStyle),
  lg: cx('h-10', controlTextStyle),
  /** For one-time codes. */
  code: 'h-10 text-lg tracking-[0.3em]',
};

export interface InputProps extends Omit<ComponentProps<'input'>, 'size'> {
  size?: keyof typeof sizes | undefined;
}

export function Input({ className, size = 'md', ...rest }: InputProps): React.JSX.Element {
  return <input type="text" {...rest} className={cx(controlStyle, sizes[size], className)} />;
}

/**
 * An input for the email address of another person: email keyboard, no autocorrection, no autofill. Not of the type `email`:
 * browsers convert an international domain by their own rules.
 */
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

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>): React.JSX.Element {
  return (
    <textarea rows={3} {...rest} className={cx(controlStyle, controlTextStyle, 'min-h-20 py-2', className)} />
  );
}
