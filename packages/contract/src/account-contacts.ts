/** Schemas and responses of the functions about the contacts of an account: the people to call. */
import * as z from 'zod/mini';
import { optionalEmail } from './email.ts';
import {
  hasVisibleCharacter,
  limitedDecomposition,
  maxCodePoints,
  noControlCharacters,
  noDirectionControls,
  visibleText,
} from './text-checks.ts';

/** Contacts of one account; the database enforces it by their positions. */
export const maxContacts = 20;

export const contactLimits = { name: 100, role: 100, phone: 50, note: 500 } as const;

/** Optional text. It is trimmed, and a text without a visible character becomes null. */
const optionalText = (maxLength: number, message: string): z.ZodMiniType<string | null, string> =>
  z.pipe(
    z.string().check(z.trim(), noControlCharacters, noDirectionControls, maxCodePoints(maxLength, message)),
    z.transform((text) => (hasVisibleCharacter(text) ? text : null)),
  );

/** The fields of a contact, in the order of the form. The service checks the phone number and converts it to E.164. */
export const contactFieldsSchema = z.object({
  name: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Name is required'),
      visibleText('Name is required'),
      noControlCharacters,
      noDirectionControls,
      maxCodePoints(contactLimits.name, 'Name must be at most 100 characters'),
      limitedDecomposition(contactLimits.name),
    ),
  role: optionalText(contactLimits.role, 'Role must be at most 100 characters'),
  phone: optionalText(contactLimits.phone, 'Phone number must be at most 50 characters'),
  email: optionalEmail('Invalid email address'),
  note: optionalText(contactLimits.note, 'Note must be at most 500 characters'),
});

export type ContactField = keyof ContactFields;
/** The values of the form. */
export type ContactFieldsInput = z.input<typeof contactFieldsSchema>;
export type ContactFields = z.output<typeof contactFieldsSchema>;

const account_id = z.uuid({ error: 'Invalid account' });

/** Body of `account-contacts`. */
export const accountContactsSchema = z.object({ account_id });

/** `version` of a list of contacts. */
export const contactsVersion = z
  .string({ error: 'Invalid version' })
  .check(z.regex(/^[0-9a-f]{32}$/, 'Invalid version'));

/** Body of `set-account-contacts`: the whole list in its order. */
export const setAccountContactsSchema = z.object({
  account_id,
  /** `version` of the list that the user saw. */
  version: contactsVersion,
  /** A contact without an ID, or with the ID of a contact that the account does not have, is added. */
  contacts: z
    .array(z.extend(contactFieldsSchema, { id: z.optional(z.uuid({ error: 'Invalid contact' })) }))
    .check(z.maxLength(maxContacts, `An account has at most ${maxContacts} contacts`)),
});

export interface AccountContact {
  readonly id: string;
  readonly name: string;
  readonly role: string | null;
  /** E.164, for `tel:` links; null without a number. */
  readonly phone: string | null;
  /** The number with the spaces of its country: `+41 44 668 18 00`. */
  readonly phone_text: string | null;
  readonly email: string | null;
  readonly note: string | null;
}

/** Response of `account-contacts` and `set-account-contacts` with status 200. */
export interface AccountContactsResponse {
  /** In their order. */
  readonly contacts: readonly AccountContact[];
  /** For the next change. */
  readonly version: string;
  /** `contact_text` of the account, by which the list finds it. */
  readonly contact_text: string | null;
}

/** Body of `set-own-phone`. An empty text removes the number. */
export const ownPhoneSchema = z.object({ phone: contactFieldsSchema.shape.phone });

/** Response of `own-phone` and `set-own-phone` with status 200; null without a number. */
export interface OwnPhoneResponse {
  readonly phone: string | null;
  readonly phone_text: string | null;
}
