/** Prevents user-supplied text from adding links, lines or invisible characters to an email. */

/** Invisible and without width. Separates a URL into parts, so that mail programs do not turn it into a link. */
const wordJoiner = '\u2060';

// C0 without the line feed, DEL, C1, zero-widths, line separators, bidirectional controls, word joiners.
const invisible =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

// A joiner (ZWJ, ZWNJ) belongs to the letter, mark or emoji before it: Persian, Sinhala and Hindi words and groups of emoji
// need it.
const joiners = /([\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])?([\u200d\u200c])[\u200d\u200c]*/gu;

const removeInvisible = (text: string): string =>
  text
    .replace(invisible, ' ')
    .replace(joiners, (_run, before: string | undefined, joiner: string) =>
      before === undefined ? '' : `${before}${joiner}`,
    );

/**
 * A word that is an email address, perhaps in brackets or before a punctuation mark. Mail programs link it to a new message at
 * most, and to no page, so it stays as it is and can be copied. One that starts like a URL is none.
 */
const addressWord =
  /^[("'<[]?(?!www\.)[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9-]+\.)+[a-z0-9-]+[)"'>\],;:!?.]*$/i;

/**
 * Separates the parts of a URL. Full-width, ideographic and other forms of the separators count as well: mail programs and
 * browsers normalize a host before they look it up.
 */
const separateUrls = (text: string): string =>
  text.replace(/\S+/g, (word) => (isAddressWord(word) ? word : separateWord(word)));

const separateWord = (word: string): string =>
  word.replace(/[^\p{L}\s](?=[^\s.])/gu, (mark) =>
    /[.:@/。]/.test(mark.normalize('NFKC')) ? `${mark}${wordJoiner}` : mark,
  );

/** The maximum length of an address, with its brackets and marks. */
const maxAddressLength = 330;

const isAddressWord = (word: string): boolean => word.length <= maxAddressLength && addressWord.test(word);

/**
 * Returns one line without invisible and bidirectional control characters, in which mail programs detect no URL ("visit
 * evil.example" stays plain text). `render-email.ts` escapes HTML.
 */
export function sanitizeText(text: string): string {
  return separateUrls(removeInvisible(text).replace(/\s+/g, ' ').trim());
}

/** Returns the lines of a note, sanitized in the same way. */
export const sanitizeNote = (note: string): readonly string[] =>
  note.split('\n').map((line) => separateUrls(removeInvisible(line).trim()));
