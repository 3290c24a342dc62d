/**
 * Folds case and accents for searches, so that `zurich` finds `Zürich`. The database folds by the same rule
 * (`private.fold_text`); a property test compares both.
 */

/** The marks that NFKD separates from Latin, Greek and Cyrillic letters. Marks of other scripts are letters. */
const marks = /[\u0300-\u036f]+/g;

/** Latin, Greek, Cyrillic and Armenian letters. Other scripts have no case, or their case is not folded. */
const lettersWithCase = /[A-Z\u00c0-\u058f]+/g;

/** Letters that have no decomposition, in lower case, and the letters that users type for them. */
export const foldedLetters: Readonly<Record<string, string>> = {
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
};

const specialLetters = new RegExp(`[${Object.keys(foldedLetters).join('')}]`, 'g');

/** Only for the conversion of plain text, which is the usual case. */
const otherThanAscii = /[^\0-\x7f]/;

export const foldText = (text: string): string =>
  otherThanAscii.test(text)
    ? text
        .normalize('NFKD')
        .replace(marks, '')
        .replace(lettersWithCase, (letters) => letters.toLowerCase())
        .replace(specialLetters, (letter) => foldedLetters[letter] ?? letter)
    : text.toLowerCase();
