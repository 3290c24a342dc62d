/** A native checkbox with a custom style. The target size is 24 px, the box 18 px. */
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { cx } from './cx.ts';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'ref'> {
  /** Shows the mixed state. The value is still `checked`. */
  indeterminate?: boolean;
}

export function Checkbox({ indeterminate = false, className, ...rest }: CheckboxProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // `indeterminate` is not an HTML attribute, and every click resets it.
    if (input.current !== null) input.current.indeterminate = indeterminate;
  });
  return (
    <span className={cx('relative inline-grid size-6 shrink-0 place-items-center', className)}>
      <input
        {...rest}
        ref={input}
        type="checkbox"
        className="peer absolute inset-0 size-6 cursor-pointer appearance-none rounded-sm -outline-offset-1 disabled:cursor-not-allowed"
      />
      <span
        aria-hidden
        className="pointer-events-none grid size-4.5 place-items-center rounded-sm border border-input bg-raised text-transparent peer-checked:border-primary peer-checked:bg-primary peer-checked:text-primary-foreground peer-indeterminate:border-primary peer-indeterminate:bg-primary peer-indeterminate:text-primary-foreground peer-disabled:opacity-60"
      >
        {indeterminate ? (
          <Minus className="size-3.5" strokeWidth={3} />
        ) : (
          <Check className="size-3.5" strokeWidth={3} />
        )}
      </span>
    </span>
  );
}

interface CheckboxFieldProps {
  label: string;
  help: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onCheckedChange: (checked: boolean) => void;
}

/** A checkbox with its label and a help text. */
export function CheckboxField(props: CheckboxFieldProps): React.JSX.Element {
  const id = useId();
  return (
    <div className="flex gap-2">
      <Checkbox
        id={id}
        aria-describedby={`${id}-help`}
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onCheckedChange(event.target.checked)}
      />
      <div className="grid min-w-0 gap-0.5 pt-0.5">
        <label htmlFor={id} className="text-sm font-medium">
          {props.label}
        </label>
        <p id={`${id}-help`} className="text-[0.8125rem] wrap-anywhere text-muted">
          {props.help}
        </p>
      </div>
    </div>
  );
}
