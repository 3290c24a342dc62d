/** The input schema of customer accounts. The order of the fields is the order in the form. */
import * as z from 'zod/mini';
import { accountTypes } from './account-types.ts';
import {
  hasVisibleCharacter,
  limitedDecomposition,
  maxCodePoints,
  noControlCharacters,
  noDirectionControls,
  visibleText,
} from './text-checks.ts';

export const accountLimits = { name: 200, address: 500, city: 100, state: 50, zipCode: 20 } as const;

/** Optional text. It is trimmed, and a text without a visible character becomes null. */
const optionalText = (maxLength: number, message: string): z.ZodMiniType<string | null, string> =>
  z.pipe(
    z
      .string()
      .check(
        z.trim(),
        noControlCharacters,
        noDirectionControls,
        maxCodePoints(maxLength, message),
        limitedDecomposition(maxLength),
      ),
    z.transform((text) => (hasVisibleCharacter(text) ? text : null)),
  );

export const newAccountSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Account name is required'),
      visibleText('Account name is required'),
      noControlCharacters,
      noDirectionControls,
      maxCodePoints(accountLimits.name, 'Name must be less than 200 characters'),
      limitedDecomposition(accountLimits.name),
    ),
  account_type: z.enum(accountTypes, { error: 'Please select an account type' }),
  address: optionalText(accountLimits.address, 'Address must be less than 500 characters'),
  city: optionalText(accountLimits.city, 'City must be less than 100 characters'),
  state: optionalText(accountLimits.state, 'State must be less than 50 characters'),
  zip_code: optionalText(accountLimits.zipCode, 'Zip code must be less than 20 characters'),
});

/** A field that administrators edit. */
export type AccountField = keyof NewAccount;

/** In the order of the form. */
export const accountFields = Object.keys(newAccountSchema.shape) as readonly AccountField[];

/** The values of the form. */
export type NewAccountInput = z.input<typeof newAccountSchema>;
/** The values to store. */
export type NewAccount = z.output<typeof newAccountSchema>;
