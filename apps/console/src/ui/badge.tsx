/** A short label. The text has the full meaning; the color only repeats it. */
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

const badgeStyle = cva('inline-flex max-w-full items-center border font-medium whitespace-nowrap', {
  variants: {
    variant: {
      default: 'border-transparent bg-primary text-primary-foreground',
      secondary: 'border-border bg-subtle text-foreground',
      destructive: 'border-transparent bg-destructive text-destructive-foreground',
      outline: 'border-input text-foreground',
      success: 'border-transparent bg-success-subtle text-success',
      warning: 'border-transparent bg-warning-subtle text-accent-strong',
    },
    /** A category is square, so that it does not look like a status. */
    shape: { pill: 'rounded-full', tag: 'rounded-sm' },
    size: {
      md: 'h-6 px-2.5 text-xs',
      /** Beside a name in a row. */
      sm: 'h-5 px-2 text-2xs',
    },
  },
  defaultVariants: { variant: 'default', size: 'md', shape: 'pill' },
});

export type BadgeVariant = NonNullable<VariantProps<typeof badgeStyle>['variant']>;

export function Badge(props: ComponentProps<'span'> & VariantProps<typeof badgeStyle>): React.JSX.Element {
  const { variant, size, shape, className, children, ...rest } = props;
  return (
    <span
      {...rest}
      data-variant={variant ?? 'default'}
      className={cx(badgeStyle({ variant, size, shape }), className)}
    >
      <span className="truncate">{children}</span>
    </span>
  );
}
