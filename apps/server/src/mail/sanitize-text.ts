/** Sanitizes user-supplied text for emails. */

/** Invisible and without width. Separates a URL into parts, so that mail programs do not turn it into a link. */
const wordJoiner = '\u2060';

// C0, DEL, C1, zero-widths, line separators, bidirectional controls, joiners.
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/**
 * Separates the parts of a URL. Full-width, ideographic and other forms of the separators count as well: mail programs and
 * browsers normalize a host before they look it up.
 */
const separateUrls = (text: string): string =>
  text.replace(/[^\p{L}\s](?=[^\s.])/gu, (mark) =>
    /[.:@/。]/.test(mark.normalize('NFKC')) ? `${mark}${wordJoiner}` : mark,
  );

/**
 * Returns one line without invisible and bidirectional control characters, in which mail programs detect no URL or
 * email address ("visit evil.example" stays plain text). `render-email.ts` escapes HTML.
 */
export function sanitizeText(text: string): string {
  return separateUrls(text.replace(invisible, ' ').replace(/\s+/g, ' ').trim());
}

// The same without the line feed, and without the joiners, which belong to emoji and to several scripts.
const invisibleInNote =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** Returns the lines of a note, sanitized in the same way. */
export const sanitizeNote = (note: string): readonly string[] =>
  note.split('\n').map((line) => separateUrls(line.replace(invisibleInNote, ' ').trim()));
