/** A native checkbox with the role `switch`, which takes effect immediately. */
import type { ComponentProps, ReactNode } from 'react';

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role'> {
  label: ReactNode;
}

export function Switch({ label, ...rest }: SwitchProps): React.JSX.Element {
  return (
    <label className="flex min-h-7 w-fit cursor-pointer items-center gap-2.5 text-sm">
      <span className="relative inline-flex h-6 w-10 shrink-0 items-center">
        <input
          {...rest}
          type="checkbox"
          role="switch"
          aria-checked={rest.checked}
          className="peer absolute inset-0 h-6 w-10 cursor-pointer appearance-none rounded-full"
        />
        <span
          aria-hidden
          className="pointer-events-none h-5.5 w-10 rounded-full border border-input bg-subtle transition-colors duration-100 peer-checked:border-primary peer-checked:bg-primary peer-disabled:opacity-60"
        />
        <span
          aria-hidden
          className="pointer-events-none absolute left-1 size-3.5 rounded-full bg-input transition-[translate,background-color] duration-100 peer-checked:translate-x-4.5 peer-checked:bg-primary-foreground"
        />
      </span>
      {label}
    </label>
  );
}
