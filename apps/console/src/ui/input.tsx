/** A text input. Uses 16 px text on phones, because iOS zooms into fields with smaller text. */
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

/** Shared classes of all controls that look like a text field. */
export const controlStyle = cx(
  'w-full min-w-0 rounded-md border border-input bg-raised px-3 text-base text-foreground shadow-xs md:text-sm',
  'placeholder:text-muted disabled:cursor-not-allowed disabled:opacity-60',
  'aria-invalid:border-destructive',
);

export function Input({ className, ...rest }: ComponentProps<'input'>): React.JSX.Element {
  return <input type="text" {...rest} className={cx(controlStyle, 'h-9', className)} />;
}
