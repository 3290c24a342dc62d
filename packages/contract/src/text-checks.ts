/**
 * Shared checks of text fields. Lengths are in code points, as in `char_length` of PostgreSQL, so that forms
 * and the database agree.
 */
import * as z from 'zod/mini';

// zod tests if `new Function` works, which violates the content security policy of the console.
z.config({ jitless: true });

/** Returns the number of code points, the unit of all length limits. */
export const countCodePoints = (text: string): number => Array.from(text).length;

/** Control characters and line separators, which are not allowed in names and email addresses. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const controlCharactersMessage = 'Control characters are not allowed';

export const noControlCharacters = z.refine<string>((text) => !controlCharacters.test(text), {
  error: controlCharactersMessage,
});

/**
 * Bidirectional control characters. In a name, they could change how the text around it in an email reads.
 */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const noDirectionControls = z.refine<string>((text) => !directionControls.test(text), {
  error: controlCharactersMessage,
});

/** @param error the message for a text with more than `max` code points */
export const maxCodePoints = (max: number, error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => countCodePoints(text) <= max, { error });

/** @param error the message for a text with fewer than `min` code points */
export const minCodePoints = (min: number, error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => countCodePoints(text) >= min, { error });
