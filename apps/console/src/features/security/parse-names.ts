/** Parses device names and the full name of the user. */
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
const fullNameSchema = z.object({ name: fullNameField });

const createParser =
  (schema: z.ZodMiniType<{ name: string }, { name: string }>) =>
  (typed: string): ParseResult => {
    const checked = validateForm(schema, { name: typed });
    return checked.ok
      ? { ok: true, value: checked.values.name }
      : { ok: false, error: checked.errors.name ?? text.required };
  };

export const parseDeviceName = createParser(deviceSchema);
/** Applies the rules of the full name in an invitation. */
export const parseFullName = createParser(fullNameSchema);

/** Returns the first suggestion that is not in use, for example 'Security key 2' if 'Security key' exists. */
export const findUnusedName = (
  suggestion: (number: number) => string,
  usedNames: readonly (string | undefined)[],
): string => {
  let number = 1;
  while (usedNames.includes(suggestion(number))) number += 1;
  return suggestion(number);
};
