/** How a search finds the contacts of accounts (`contact_text` of an account). Console and service use the same rule. */
import { foldText } from './fold-text.ts';

/** Texts of digits and of the characters that phone numbers are written with. */
const phoneCharacters = /^[\d\s+()./\-\u2010-\u2015\u00a0\u202f]*$/;

/** Fewer digits are found in almost every number. */
const minDigits = 3;

/**
 * Returns the text that `contact_text` of a found account contains, or null if contacts are not searched.
 *
 * A text that can be a part of a phone number is searched by its digits, so that every formatting finds it. Zeros at the start
 * are omitted: they are a prefix for calls within the country (044) or to other countries (0041), and so is a zero in
 * parentheses. Any other text is searched in folded names and in email addresses.
 */
export const contactSearchText = (text: string): string | null => {
  if (!phoneCharacters.test(text)) return foldText(text);
  const digits = text.replaceAll('(0)', '').replace(/\D/g, '').replace(/^0+/, '');
  return digits.length < minDigits ? null : digits;
};
