import { describe, expect, it } from 'vitest';
import { contactSpellings, isPhoneSearch, phoneSearchDigits } from './contact-search.ts';

describe('a part of a phone number', () => {
  it.each([
    ['+41 44 668 18 00', '41446681800'],
    ['+41 (0)44 668 18 00', '41446681800'],
    ['0041 44 668', '4144668'],
    ['044 668 18 00', '446681800'],
    ['044\u00a0668\u201318\u200b00', '446681800'],
    ['\uff10\uff14\uff14 668', '44668'],
    ['(212) 555-0100', '2125550100'],
    ['668', '668'],
    ['66', null],
    ['1', null],
    ['000', null],
    ['+', null],
  ])('%j has the digits %j', (text, expected) => {
    expect(isPhoneSearch(text)).toBe(true);
    expect(phoneSearchDigits(text)).toBe(expected);
  });

  it('has no letters', () => {
    for (const text of ['Zo\u00eb 668', 'OPS@Example', '668 x']) expect(isPhoneSearch(text)).toBe(false);
  });
});

describe('a word of a search', () => {
  it('is compared with contacts by its digits as well', () => {
    expect(contactSpellings(['zoe'])).toEqual(['zoe']);
    expect(contactSpellings(['muller', 'mueller'])).toEqual(['muller', 'mueller']);
    expect(contactSpellings(['044'])).toEqual(['44']);
    expect(contactSpellings(['668-18'])).toEqual(['66818']);
    expect(contactSpellings(['1-2'])).toEqual(['1-2']);
    expect(contactSpellings(['('])).toEqual(['(']);
  });
});
