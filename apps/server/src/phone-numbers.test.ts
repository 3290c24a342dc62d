import fc from 'fast-check';
import { getCountries, getExampleNumber, type CountryCode } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/examples.mobile';
import { describe, expect, it } from 'vitest';
import { phoneSearchDigits } from '@lanternrock/contract/contact-search';
import { DomainError } from './errors.ts';
import { formatPhone, parsePhone } from './phone-numbers.ts';

const rejection = (text: string, country = ''): string => {
  try {
    return parsePhone(text, country);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_phone') return error.message;
    throw error;
  }
};

const withCountryCode = 'Enter the phone number with its country code, for example +41.';
const noNumber = 'This is not a phone number.';
const tooShort = 'This phone number is too short. Check its digits.';
const doesNotExist = 'This phone number does not exist. Check its digits.';

describe('parsePhone', () => {
  it.each([
    ['044 668 18 00', 'CH', '+41446681800'],
    ['044/668-18.00', 'CH', '+41446681800'],
    ['+41 (0)44 668 18 00', '', '+41446681800'],
    ['0041 44 668 18 00', '', '+41446681800'],
    ['0041 44 668 18 00', 'DE', '+41446681800'],
    ['+1 (212) 555-0100', 'CH', '+12125550100'],
    ['011 41 44 668 18 00', 'US', '+41446681800'],
    ['(212) 555-0100', 'US', '+12125550100'],
    ['+39 06 6982', '', '+39066982'],
    ['+870 773 111 632', '', '+870773111632'],
    ['٠٤٤٦٦٨١٨٠٠', 'CH', '+41446681800'],
    // Short, and assigned.
    ['+49 30 110', '', '+4930110'],
    ['0512 140', 'AT', '+43512140'],
    ['+376 712 345', '', '+376712345'],
    ['+683 4000', '', '+6834000'],
  ])('reads %s in %s', (text, country, expected) => {
    expect(rejection(text, country)).toBe(expected);
  });

  it.each([
    ['044 668 18 00', '', withCountryCode],
    ['112', '', withCountryCode],
    ['112', 'CH', doesNotExist],
    ['+41 44 668 18', '', doesNotExist],
    ['044 668 18 00 / 01', 'CH', doesNotExist],
    ['+999 123 456', '', noNumber],
    ['+49 151 23', '', tooShort],
    ['0151 23', 'DE', tooShort],
    ['+49 8821 1', '', tooShort],
    ['call 044 668 18 00', 'CH', noNumber],
    ['1-800-FLOWERS', 'US', noNumber],
    ['Channel 4', 'CH', noNumber],
    ['+', '', noNumber],
    ['+41 44 668 18 00 ext. 12', '', 'Write the extension of the phone number into the note.'],
  ])('rejects %s in %s', (text, country, expected) => {
    expect(rejection(text, country)).toBe(expected);
  });

  it('reads what it formats, in every country and with any punctuation, and finds it by its digits', () => {
    const numbers = getCountries().flatMap((country) => {
      const example = getExampleNumber(country, examples);
      return example?.isValid() === true ? [{ country, example }] : [];
    });
    expect(numbers.length).toBeGreaterThan(200);
    const separators = fc.array(fc.constantFrom(' ', '-', '.', '/', '\u00a0', '', ' ('), {
      minLength: 20,
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...numbers),
        separators,
        fc.constantFrom<CountryCode | ''>('', 'CH', 'US'),
        ({ country, example }, between, other) => {
          const e164 = example.number;
          expect(parsePhone(formatPhone(e164) ?? '', other)).toBe(e164);
          const national = example.formatNational();
          expect(parsePhone(national, country)).toBe(e164);
          const [plus = '', ...digits] = e164;
          const punctuated = plus + digits.map((digit, index) => digit + (between[index] ?? '')).join('');
          expect(parsePhone(punctuated, other)).toBe(e164);
          for (const typed of [formatPhone(e164) ?? '', punctuated]) {
            const found = phoneSearchDigits(typed);
            expect(found).toBe(e164.slice(1));
          }
        },
      ),
    );
  });

  it('returns a number in E.164 or rejects the text, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[+0-9 ()/.-]{1,30}$/)),
        fc.constantFrom('', 'CH', 'US', 'IT'),
        (text, country) => {
          const result = rejection(text, country);
          if (result.startsWith('+')) expect(result).toMatch(/^\+[1-9][0-9]{4,14}$/);
          else
            expect([withCountryCode, noNumber, doesNotExist, tooShort]).toContain(
              result.replace(/^Write .*/, noNumber),
            );
        },
      ),
    );
  });
});
