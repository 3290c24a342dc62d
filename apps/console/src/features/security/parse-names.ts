/** Names that somebody types here: of a device, and their own. */
import { fullNameField } from '@lanternrock/contract/invitations';
import { minCodePoints, maxCodePoints, noControlCharacters } from '@lanternrock/contract/text-checks';
import * as z from 'zod/mini';
import { validateForm } from '../../forms/validate-form.ts';
import type { ParseResult } from './single-field-form.tsx';
import { securityText } from './security-text.ts';

const text = securityText.nameField;

const deviceSchema = z.object({
  name: z
    .string()
    .check(z.trim(), noControlCharacters, minCodePoints(1, text.required), maxCodePoints(60, text.tooLong)),
});
const personSchema = z.object({ name: fullNameField });

const readBy =
  (schema: z.ZodMiniType<{ name: string }, { name: string }>) =>
  (typed: string): ParseResult => {
    const checked = validateForm(schema, { name: typed });
    return checked.ok
      ? { ok: true, value: checked.values.name }
      : { ok: false, problem: checked.errors.name ?? text.required };
  };

export const parseDeviceName = readBy(deviceSchema);
/** As in an invitation. */
export const parseFullName = readBy(personSchema);

/** 'Security key 2' when there is one called 'Security key' already. */
export const findUnusedName = (
  suggestion: (number: number) => string,
  taken: readonly (string | undefined)[],
): string => {
  let number = 1;
  while (taken.includes(suggestion(number))) number += 1;
  return suggestion(number);
};
