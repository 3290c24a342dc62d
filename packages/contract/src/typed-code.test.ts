import { expect, it } from 'vitest';
import { normalizeCode } from './typed-code.ts';

it.each([
  ['123456', '123456'],
  ['１２３４５６', '123456'],
  [' 123 456 ', '123456'],
  ['123\u00a0456\u200b', '123456'],
  ['123–456', '123456'],
  ['١٢٣٤٥٦', '123456'],
  ['۱۲۳۴۵۶', '123456'],
  ['१२३४५६', '123456'],
  ['𝟏𝟐𝟑𝟒𝟓𝟔', '123456'],
  ['ａｂｃｄ－ｅｆ２３', 'abcdef23'],
  ['', ''],
])('reads the code %j as %j', (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
});

it('reads every decimal digit of Unicode', () => {
  const digits = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /\p{Nd}/u.test(character));
  const read = digits.map((digit) => Number(normalizeCode(digit)));
  expect(read).toEqual(digits.map((_, index) => index % 10));
});

it('does not expand a long text', () => {
  const long = '\ufdfa'.repeat(101);
  expect(normalizeCode(long)).toBe(long);
});
