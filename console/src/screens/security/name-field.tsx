/** The name that somebody gives to a device. */
import { atLeast, atMost, withoutControlCharacters } from '@lanternrock/contract/text';
import type { Ref } from 'react';
import * as z from 'zod/mini';
import { checkForm, type FormCheck } from '../../form-check.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { securityText } from './security-text.ts';

const text = securityText.nameField;

const schema = z.object({
  name: z
    .string()
    .check(z.trim(), withoutControlCharacters, atLeast(1, text.required), atMost(60, text.tooLong)),
});

export const checkName = (name: string): FormCheck<{ name: string }, { name: string }> =>
  checkForm(schema, { name });

interface NameFieldProps {
  ref: Ref<HTMLInputElement>;
  defaultValue: string;
  error: string | undefined;
  hint?: string | undefined;
}

export function NameField({ ref, defaultValue, error, hint }: NameFieldProps): React.JSX.Element {
  return (
    <Field
      label={text.label}
      error={error}
      hint={hint}
      render={(control) => (
        <Input
          {...control}
          ref={ref}
          name="name"
          defaultValue={defaultValue}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    />
  );
}

/** 'Security key 2' when there is one called 'Security key' already. */
export const freeName = (
  suggestion: (number: number) => string,
  taken: readonly (string | undefined)[],
): string => {
  let number = 1;
  while (taken.includes(suggestion(number))) number += 1;
  return suggestion(number);
};
