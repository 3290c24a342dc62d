/** Parses and formats phone numbers with the numbering plans of all countries (libphonenumber). */
import parsePhoneNumber, {
  isSupportedCountry,
  parsePhoneNumberWithError,
  ParseError,
} from 'libphonenumber-js/min';
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

const invalidPhone = (message: string, cause?: unknown): DomainError =>
  new DomainError('invalid_phone', message, { cause });

/** Returns a number in E.164 with the spaces of its country, such as `+41 44 668 18 00`; null for null. */
export const formatPhone = (e164: string | null): string | null =>
  e164 === null ? null : (parsePhoneNumber(e164)?.formatInternational() ?? e164);
