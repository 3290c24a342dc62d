/** A button. `pending` disables it, shows a spinner, and keeps the width and the keyboard focus. */
import { cva, type VariantProps } from 'class-variance-authority';
import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { actionAttribute } from './double-click-guard.ts';
import { hasFocusMoved } from './focus-moved.ts';
import { Spinner } from './spinner.tsx';

/** Exported for links that look like buttons. */
export const buttonStyle = cva(
  [
    'inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap',
    'transition-[background-color,color,border-color,opacity] duration-100 select-none',
    'disabled:cursor-default disabled:opacity-60 aria-disabled:cursor-default aria-disabled:opacity-60',
    '[&_svg]:shrink-0 [&_svg:not([class*=size-])]:size-4',
  ],
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground shadow-xs not-disabled:hover:bg-primary-hover',
        secondary: 'bg-subtle text-foreground not-disabled:hover:bg-border',
        outline: 'border border-input bg-raised text-foreground shadow-xs not-disabled:hover:bg-subtle',
        ghost: 'text-foreground not-disabled:hover:bg-subtle',
        destructive:
          'bg-destructive text-destructive-foreground shadow-xs not-disabled:hover:bg-destructive-hover',
        outlineDestructive:
          'border border-input bg-raised text-destructive shadow-xs not-disabled:hover:bg-subtle',
        link: 'text-primary underline-offset-4 not-disabled:hover:underline',
      },
      size: {
        sm: 'h-8 px-3 text-[0.8125rem]',
        md: 'h-9 px-4 text-sm',
        lg: 'h-10 px-4 text-sm',
        /** For links within text and below forms. */
        inline: 'h-8 px-1 text-sm',
        flush: 'h-8 text-[0.8125rem]',
        icon: 'size-9',
      },
    },
    defaultVariants: { variant: 'default', size: 'md' },
  },
);

/** Classes of a small button that has only an icon, such as *Close*. */
export const iconButtonStyle =
  'inline-flex size-8 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted hover:bg-subtle hover:text-foreground';

export interface ButtonProps extends ComponentProps<'button'>, VariantProps<typeof buttonStyle> {
  /**
   * True while the action of the button is running. If the prop is set, also to false, the double-click guard
   * ignores a second click.
   */
  pending?: boolean | undefined;
  /** Replaces the label while pending, for example `Creating...`. */
  pendingLabel?: string | undefined;
}

/** A button; `type` defaults to `button`. */
export function Button(props: ButtonProps): React.JSX.Element {
  const {
    variant,
    size,
    pending: pendingProp,
    pendingLabel,
    className,
    children,
    disabled,
    style,
    ref,
    ...rest
  } = props;
  const pending = pendingProp ?? false;
  const { button, minWidth } = usePendingStability(pending);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => button.current);
  return (
    <button
      type="button"
      ref={button}
      {...rest}
      data-variant={variant ?? 'default'}
      {...(pendingProp === undefined ? {} : { [actionAttribute]: '' })}
      data-pending={pending ? '' : undefined}
      disabled={disabled === true || pending}
      className={cx(buttonStyle({ variant, size }), className)}
      // `min(100%, ...)` prevents horizontal scrolling if the window becomes narrower while pending.
      style={pending && minWidth !== undefined ? { ...style, minWidth: `min(100%, ${minWidth}px)` } : style}
    >
      {pending ? (
        <>
          <Spinner label="" size="inline" />
          {pendingLabel ?? children}
        </>
      ) : (
        children
      )}
    </button>
  );
}

/**
 * Keeps the width of the button while pending, and restores the keyboard focus afterwards. A disabled element
 * loses the focus, and a user who pressed Enter needs it back after an error.
 */
function usePendingStability(pending: boolean): {
  button: React.RefObject<HTMLButtonElement | null>;
  minWidth: number | undefined;
} {
  const buttonRef = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  const idleWidth = useRef<number>(undefined);
  const [minWidth, setMinWidth] = useState<number>();
  useLayoutEffect(() => {
    const button = buttonRef.current;
    if (button === null) return undefined;
    if (pending) {
      setMinWidth(idleWidth.current);
      hadFocus.current = document.activeElement === button;
      return undefined;
    }
    if (hadFocus.current && !hasFocusMoved()) button.focus({ preventScroll: true });
    hadFocus.current = false;
    // Measured on the pointer or key event before the action starts, because measuring on every render is
    // slow.
    const measure = (): void => {
      idleWidth.current = button.offsetWidth;
    };
    button.addEventListener('pointerdown', measure);
    button.addEventListener('keydown', measure);
    return () => {
      button.removeEventListener('pointerdown', measure);
      button.removeEventListener('keydown', measure);
    };
  }, [pending]);
  return { button: buttonRef, minWidth };
}
