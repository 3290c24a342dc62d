/** A native select, which works with every keyboard, phone and screen reader. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { controlStyle, controlTextStyle } from './input.tsx';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

interface SelectProps extends ComponentProps<'select'> {
  options: readonly SelectOption[];
  /** Shown while no option is selected. It cannot be selected. */
  placeholder?: string;
  /** Classes of the container. */
  boxClassName?: string | undefined;
}

export function Select({
  options,
  placeholder,
  className,
  boxClassName,
  ...rest
}: SelectProps): React.JSX.Element {
  return (
    <span className={cx('relative block min-w-0', boxClassName)}>
      <select
        {...rest}
        className={cx(controlStyle, controlTextStyle, 'h-9 appearance-none truncate pr-8', className)}
      >
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  );
}
