/**
 * Folds case, accents and zero-width characters for searches, so that `zurich` finds `Zürich`. The database folds by the same
 * rule (`private.fold_text`, `private.spellings`); a property test compares both.
 */

/** Soft hyphen, joiners, direction controls, variation selectors and tags: they have no width, and pasted text has them. */
const zeroWidth =
  '\\u00ad\\u061c\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\u{e0000}-\\u{e0fff}';

const zeroWidthCharacters = new RegExp(`[${zeroWidth}]+`, 'gu');

/**
 * The marks that NFKD separates from Latin, Greek and Cyrillic letters, and zero-width characters. Marks of other scripts are
 * letters.
 */
const ignoredCharacters = new RegExp(`[\\u0300-\\u036f${zeroWidth}]+`, 'gu');

/** Latin, Greek, Cyrillic and Armenian letters. Other scripts have no case, or their case is not folded. */
const lettersWithCase = /[A-Z\u00c0-\u058f]+/g;

/** Letters and punctuation that have no decomposition, in lower case, and what users type for them. */
const foldedCharacters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '′': "'",
  '׳': "'",
  '‐': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '־': '-',
};

const specialCharacters = new RegExp(`[${Object.keys(foldedCharacters).join('')}]`, 'g');

/** Only for the conversion of plain text, which is the usual case. */
const otherThanAscii = /[^\0-\x7f]/;

export const foldText = (text: string): string =>
  otherThanAscii.test(text)
    ? text
        .normalize('NFKD')
        .replace(ignoredCharacters, '')
        .replace(lettersWithCase, (letters) => letters.toLowerCase())
        .replace(specialCharacters, (character) => foldedCharacters[character] ?? character)
    : text.toLowerCase();

export const removeZeroWidth = (text: string): string => text.replace(zeroWidthCharacters, '');

/**
 * Returns the folded spellings of a text: without accents and, for letters that are also written as two letters, with both of
 * them. `Müller` is `muller` and `mueller`, `Århus` is `arhus` and `aarhus`, `Ørsted` is `orsted` and `oersted`.
 */
export const foldSpellings = (text: string): readonly string[] => {
  const folded = foldText(text);
  if (!otherThanAscii.test(text)) return [folded];
  const spelled = removeZeroWidth(text.normalize('NFKD'))
    .replace(/([aou])\u0308/gi, '$1e')
    .replace(/(a)\u030a/gi, '$1a')
    .replace(/ø/gi, 'oe');
  const other = foldText(spelled);
  return other === folded ? [folded] : [folded, other];
};
