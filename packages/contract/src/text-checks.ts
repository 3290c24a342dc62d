/**
 * Checks that every text field of the product shares. Lengths count code points, as Postgres'
 * `char_length` does, so that the form and the database agree on an emoji.
 */
import * as z from 'zod/mini';

// The probe for `new Function` would violate the console's content security policy.
z.config({ jitless: true });

/** Number of code points, the unit of every limit of the product. */
export const countCodePoints = (text: string): number => Array.from(text).length;

/** Control characters other than tab and line breaks never belong into a name or an address. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const controlCharactersMessage = 'Control characters are not allowed';

export const noControlCharacters = z.refine<string>((text) => !controlCharacters.test(text), {
  error: controlCharactersMessage,
});

/**
 * Controls that turn the direction of the text around them. In a name that stands inside a mail they
 * would make other words read as something else.
 */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const noDirectionControls = z.refine<string>((text) => !directionControls.test(text), {
  error: controlCharactersMessage,
});

/** @param error shown when the text is longer than `limit` code points. */
export const maxCodePoints = (limit: number, error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => countCodePoints(text) <= limit, { error });

/** @param error shown when the text is shorter than `limit` code points. */
export const minCodePoints = (limit: number, error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => countCodePoints(text) >= limit, { error });
