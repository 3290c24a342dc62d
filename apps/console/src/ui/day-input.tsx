/** A date field that filters a list. */
import { useEffect, useRef } from 'react';
import { Input, type InputProps } from './input.tsx';

interface DayInputProps extends Omit<InputProps, 'type' | 'value' | 'defaultValue' | 'onChange' | 'ref'> {
  /** Such as 2026-11-24. */
  value: string | undefined;
  /** Not called while a year is typed: its value is an early year such as 0020 then. */
  onValueChange: (day: string | undefined) => void;
}

const isTypedYear = (day: string): boolean => day !== '' && day < '1970';

/** Uncontrolled, because the value in the URL follows late. */
export function DayInput({ value, onValueChange, ...rest }: DayInputProps): React.JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  useEffect(() => {
    // The URL changed by other means, for example by Back.
    if (value !== sent.current && input.current !== null) input.current.value = value ?? '';
    sent.current = value;
  }, [value]);
  return (
    <Input
      max="9999-12-31"
      {...rest}
      ref={input}
      type="date"
      defaultValue={value}
      onChange={({ target }) => {
        if (isTypedYear(target.value)) return;
        sent.current = target.value === '' ? undefined : target.value;
        onValueChange(sent.current);
      }}
    />
  );
}
