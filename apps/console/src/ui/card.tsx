/** A bordered surface for one topic. */
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';

export function Card({ className, ...rest }: ComponentProps<'section'>): React.JSX.Element {
  return (
    <section {...rest} className={cx('rounded-lg border border-border bg-surface shadow-xs', className)} />
  );
}

export function CardHeader({ className, ...rest }: ComponentProps<'div'>): React.JSX.Element {
  return <div {...rest} className={cx('grid gap-1 px-5 pt-5', className)} />;
}

/** A level 2 heading. The screen title is the only level 1 heading. */
export function CardTitle({ className, children, ...rest }: ComponentProps<'h2'>): React.JSX.Element {
  return (
    <h2 {...rest} className={cx('text-base font-semibold text-foreground', className)}>
      {children}
    </h2>
  );
}

export function CardDescription({ className, ...rest }: ComponentProps<'p'>): React.JSX.Element {
  return <p {...rest} className={cx('text-sm text-muted', className)} />;
}

export function CardContent({ className, ...rest }: ComponentProps<'div'>): React.JSX.Element {
  return <div {...rest} className={cx('p-5', className)} />;
}

export function CardFooter({ className, ...rest }: ComponentProps<'div'>): React.JSX.Element {
  return (
    <div {...rest} className={cx('flex items-center gap-2 border-t border-border px-5 py-4', className)} />
  );
}
