/** The state of the field for the end date of a member who is added. */
import { type RefObject, useRef, useState } from 'react';
import { endDateField } from '../../shared/end-date/end-date.ts';
import { endDateText } from '../../shared/end-date/end-date-text.ts';

export interface EndDateState {
  /** Of an input of the type `datetime-local`; '' for no end date. */
  readonly value: string;
  readonly setValue: (value: string) => void;
  readonly error: string | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Shows an error at the field, and focuses the field. */
  readonly showError: (message: string) => void;
  /** Returns RFC 3339, or null without an end date. Shows an error and returns undefined for invalid input. */
  readonly parse: () => string | null | undefined;
}

export function useEndDate(): EndDateState {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const showError = (message: string): void => {
    setError(message);
    field.current?.focus();
  };
  const parse = (): string | null | undefined => {
    setError(undefined);
    const { data, error: invalid } = endDateField.safeParse(value);
    // A half-filled input has the value '', as one without an end date.
    const isHalfFilled = field.current?.validity.badInput === true;
    if (data !== undefined && !isHalfFilled) return data;
    showError((isHalfFilled ? undefined : invalid?.issues[0]?.message) ?? endDateText.invalid);
    return undefined;
  };
  return { value, setValue, error, field, showError, parse };
}
