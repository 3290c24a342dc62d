/** How a search finds the contacts of accounts (`contact_text` of an account): phone numbers by their digits. */
import { foldText } from './fold-text.ts';
import { normalizeSearchText, type SearchWord } from './text-search.ts';

/** Texts of digits and of the characters that phone numbers are written with, after folding. */
const phoneCharacters = /^[\d\s+()./\-\u2010-\u2015]*$/;

/** Fewer digits are found in almost every number. */
const minDigits = 3;

/** Returns true for a text that can be a part of a phone number. */
export const isPhoneSearch = (text: string): boolean =>
  phoneCharacters.test(foldText(normalizeSearchText(text)));

/**
 * Returns the digits of a text, so that every formatting of a phone number finds it. Zeros at the start are omitted: they are a
 * prefix for calls within the country (044) or to other countries (0041), and so is a zero in parentheses.
 */
const toDigits = (text: string): string =>
  foldText(text).replaceAll('(0)', '').replace(/\D/g, '').replace(/^0+/, '');

/**
 * Returns the digits by which a whole search is compared with phone numbers.
 *
 * @param text a search for which `isPhoneSearch` is true
 * @returns null for too few digits: contacts are not searched
 */
export const phoneSearchDigits = (text: string): string | null => {
  const digits = toDigits(normalizeSearchText(text));
  return digits.length < minDigits ? null : digits;
};

/**
 * Returns the texts of which contacts contain one, for a word beside other words: its spellings, or the digits of a word that can
 * be a part of a phone number, such as `668-18`. Never more texts than spellings, which limit the patterns of a request.
 */
export const contactSpellings = (word: SearchWord): SearchWord => {
  const [folded = ''] = word;
  if (!phoneCharacters.test(folded)) return word;
  const digits = toDigits(folded);
  // A text that contains the word then contains its digits as well. Other short words can be parts of names.
  const isWithinWord = digits !== '' && folded.includes(digits);
  return isWithinWord || digits.length >= minDigits ? [digits] : word;
};
