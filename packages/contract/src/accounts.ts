/** Customer accounts: limits and messages of specification section 5, in the form's field order. */
import * as z from 'zod/mini';
import { accountTypes } from './account-types.ts';
import { maxCodePoints, noControlCharacters, noDirectionControls } from './text-checks.ts';

export const accountLimits = { name: 200, address: 500, city: 100, state: 50, zipCode: 20 } as const;

/** Text that may stay empty; outer spaces go, and nothing left means null. */
const optionalText = (limit: number, message: string): z.ZodMiniType<string | null, string> =>
  z.pipe(
    z.string().check(z.trim(), noControlCharacters, maxCodePoints(limit, message)),
    z.transform((text) => (text === '' ? null : text)),
  );

export const newAccountSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Account name is required'),
      noControlCharacters,
      noDirectionControls,
      maxCodePoints(accountLimits.name, 'Name must be less than 200 characters'),
    ),
  account_type: z.enum(accountTypes, { error: 'Please select an account type' }),
  address: optionalText(accountLimits.address, 'Address must be less than 500 characters'),
  city: optionalText(accountLimits.city, 'City must be less than 100 characters'),
  state: optionalText(accountLimits.state, 'State must be less than 50 characters'),
  zip_code: optionalText(accountLimits.zipCode, 'Zip code must be less than 20 characters'),
});

/** What the form holds. */
export type NewAccountInput = z.input<typeof newAccountSchema>;
/** What is stored. */
export type NewAccount = z.output<typeof newAccountSchema>;
