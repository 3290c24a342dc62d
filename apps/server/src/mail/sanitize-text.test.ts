import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sanitizeNote, sanitizeText } from './sanitize-text.ts';

it.each([
  ['Ann Lee', 'Ann Lee'],
  ['  Ann \t\n Lee  ', 'Ann Lee'],
  ['J. R. Smith', 'J. R. Smith'],
  ['Ann\u202eeeL', 'Ann eeL'],
  ['Ann\u0000\u2028Lee', 'Ann Lee'],
  ['visit evil.example/x', 'visit evil.\u2060example/\u2060x'],
  ['a@b.co', 'a@b.co'],
  ['Ask Ann (ann.lee@example.org), or bo@example.org.', 'Ask Ann (ann.lee@example.org), or bo@example.org.'],
  ['a@b.co/x', 'a@\u2060b.\u2060co/\u2060x'],
  ['http:a@b.co', 'http:\u2060a@\u2060b.\u2060co'],
  ['www.evil.example@b.co', 'www.\u2060evil.\u2060example@\u2060b.\u2060co'],
  ['http://evil', 'http:\u2060/\u2060/\u2060evil'],
  ['evil．example／x', 'evil．\u2060example／\u2060x'],
  ['evil。example', 'evil。\u2060example'],
  ['a＠b․co', 'a＠\u2060b․\u2060co'],
  ['Ann … Lee', 'Ann … Lee'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['ශ්\u200dරී ලංකා', 'ශ්\u200dරී ලංකා'],
  ['क्\u200dष क्\u200cष', 'क्\u200dष क्\u200cष'],
  [
    '\u{1f469}\u{1f3fd}\u200d\u{1f692} \u2764\ufe0f\u200d\u{1f525}',
    '\u{1f469}\u{1f3fd}\u200d\u{1f692} \u2764\ufe0f\u200d\u{1f525}',
  ],
  [
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ['\u200dAnn \u200c Lee 5\u200d', 'Ann Lee 5'],
  ['a\u200d\u200c\u200db', 'a\u200db'],
  ['evil\u200d.\u200cexample', 'evil\u200d.\u2060example'],
])('converts %j to %j', { tags: ['FN-08'] }, (text, expected) => {
  expect(sanitizeText(text)).toBe(expected);
});

it('removes line breaks, invisible characters and URLs from any text', { tags: ['FN-03', 'FN-08'] }, () => {
  const parts = fc.constantFrom(
    'evil',
    '.',
    'com',
    '/',
    'www',
    ':',
    '@',
    ' ',
    '\r',
    '\n',
    '\u2028',
    '\u202e',
    '\u200b',
    '\u200c',
    '\u200d',
    '\ufeff',
    'é',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(parts).map((list) => list.join('')),
      ),
      (text) => {
        const result = sanitizeText(text);
        expect(result).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\ufeff]/);
        expect(result).not.toMatch(/(?:^|[\s\d.:@/\u200c\u200d])[\u200c\u200d]/);
        const isAddress = (word: string): boolean => /^\W?[\w+-][\w.+-]*@[\w-]+(\.[\w-]+)+\W*$/.test(word);
        const rest = result.split(/\s/).filter((word) => !isAddress(word) || word.startsWith('www.'));
        expect(rest.join(' ')).not.toMatch(/\w[.@:/]\w/);
      },
    ),
  );
});

// Mail programs and browsers normalize a host before they look it up.
it('separates a URL at every character that normalizes to a separator', { tags: ['FN-03', 'FN-08'] }, () => {
  const separators = Array.from({ length: 0x110000 }, (_, point) => String.fromCodePoint(point)).filter(
    (character) => /[.:@/。]/.test(character.normalize('NFKC')),
  );
  expect(separators).toEqual(expect.arrayContaining(['.', '．', '。', '｡', '／', '＠', '：', '․']));
  for (const separator of separators)
    for (const result of [sanitizeText(`a${separator}b`), ...sanitizeNote(`a${separator}b`)])
      expect(result, separator).toBe(`a${separator}\u2060b`);
});
