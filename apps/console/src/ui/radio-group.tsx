/** Native radio buttons in a labeled group. */
import { type ReactNode, useId } from 'react';

interface RadioGroupProps {
  /** Visible label of the group. */
  label: string;
  options: readonly { readonly value: string; readonly label: ReactNode }[];
  value: string;
  onValueChange: (value: string) => void;
}

export function RadioGroup({ label, options, value, onValueChange }: RadioGroupProps): React.JSX.Element {
  const name = useId();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-7 w-fit max-w-full cursor-pointer items-center gap-2 text-sm"
        >
          <span className="relative grid size-6 shrink-0 place-items-center">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange(option.value)}
              className="peer absolute inset-0 size-6 cursor-pointer appearance-none rounded-full -outline-offset-1"
            />
            <span
              aria-hidden
              className="pointer-events-none size-4.5 rounded-full border border-input bg-raised peer-checked:border-[5px] peer-checked:border-primary"
            />
          </span>
          <span className="min-w-0 wrap-anywhere">{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
