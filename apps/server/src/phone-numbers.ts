/** Parses and formats phone numbers with the numbering plans of all countries (libphonenumber). */
import parsePhoneNumber, {
  isSupportedCountry,
  parsePhoneNumberWithError,
  ParseError,
  type PhoneNumber,
} from 'libphonenumber-js/min';
import parseStrictly from 'libphonenumber-js/max';
import { DomainError } from './errors.ts';

/** The form that the database stores. */
const e164Form = /^\+[1-9][0-9]{4,14}$/;

/**
 * Returns the number in E.164.
 *
 * @param text as people write it
 * @param defaultCountry two-letter code for numbers without a country code; '' for none
 * @throws DomainError invalid_phone
 */
export function parsePhone(text: string, defaultCountry: string): string {
  const country = isSupportedCountry(defaultCountry) ? defaultCountry : undefined;
  const hasCountryCode = /^(\+|00)/.test(text);
  try {
    // Without a country, the library does not know the prefix for calls to other countries.
    const number = parsePhoneNumberWithError(country === undefined ? text.replace(/^00/, '+') : text, {
      extract: false,
      ...(country === undefined ? {} : { defaultCountry: country }),
    });
    if (number.ext !== undefined)
      throw invalidPhone('Write the extension of the phone number into the note.');
    if (isTooShort(number)) throw invalidPhone('This phone number is too short. Check its digits.');
    if (number.isValid() && e164Form.test(number.number)) return number.number;
    throw invalidPhone('This phone number does not exist. Check its digits.');
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw invalidPhone(
      error.message === 'INVALID_COUNTRY' && !hasCountryCode
        ? 'Enter the phone number with its country code, for example +41.'
        : 'This is not a phone number.',
      error,
    );
  }
}

/** Numbers with fewer digits after the country code are rare, so they must be known in detail. */
const usualDigits = 7;

/**
 * Returns true for a number that only the rules of `min` accept, which allow any length that some number of the country has:
 * `+49 151 23` is none. Longer numbers are not checked in this way, because a country can assign new ones.
 */
const isTooShort = (number: PhoneNumber): boolean =>
  number.nationalNumber.length < usualDigits &&
  number.isValid() &&
  parseStrictly(number.number)?.isValid() !== true;

const invalidPhone = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_phone', message, { cause });

/** Returns a number in E.164 with the spaces of its country, such as `+41 44 668 18 00`; null for null. */
export const formatPhone = (e164: string | null): string | null =>
  e164 === null ? null : (parsePhoneNumber(e164)?.formatInternational() ?? e164);
