/** A multi-line text input. */
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { controlStyle, controlTextStyle } from './input.tsx';

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>): React.JSX.Element {
  return (
    <textarea rows={3} {...rest} className={cx(controlStyle, controlTextStyle, 'min-h-20 py-2', className)} />
  );
}
