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
 * Bidirectional control characters and marks. They change how the text around them reads. No text field accepts them.
 */
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export const noDirectionControls = z.refine<string>((text) => !directionControls.test(text), {
  error: controlCharactersMessage,
});

/**
 * Characters that show nothing on their own: spaces, controls, what Unicode calls default ignorable, and blank letters.
 * The same set as in `db/migrations/20261126000006_profiles.sql`.
 */
const invisible =
  '\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb' +
  '\\u{13430}-\\u{13442}\\u{16fe4}\\u{1bca0}-\\u{1bca3}\\u{1d159}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}';
const visibleCharacter = new RegExp(`[^${invisible}]`, 'u');

export const hasVisibleCharacter = (text: string): boolean => visibleCharacter.test(text);

/** @param error the message for a text of invisible characters; an empty text has its own message */
export const visibleText = (error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => text === '' || hasVisibleCharacter(text), { error });

/** @param error the message for a text with more than `max` code points */
export const maxCodePoints = (max: number, error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => countCodePoints(text) <= max, { error });

/** @param error the message for a text with fewer than `min` code points */
export const minCodePoints = (min: number, error: string): z.core.$ZodCheck<string> =>
  z.refine<string>((text) => countCodePoints(text) >= min, { error });

/**
 * Texts are searched and compared in their compatibility decomposition (`fold-text.ts`), in which one character can have 18
 * letters. The factor is that of a Hangul syllable.
 */
const maxLettersPerCharacter = 3;

/** @param max the limit in code points; the message is for a text whose decomposition has more than three times as many */
export const limitedDecomposition = (max: number): z.core.$ZodCheck<string> =>
  z.refine<string>(
    (text) =>
      countCodePoints(text) > max || countCodePoints(text.normalize('NFKD')) <= max * maxLettersPerCharacter,
    {
      error: 'This text has too many special characters. Shorten it',
    },
  );
