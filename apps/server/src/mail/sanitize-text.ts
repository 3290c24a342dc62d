/** Makes text that somebody else chose harmless inside a mail that carries our name. */

/** Joins without a gap and without a picture; mail programs then see no address to turn into a link. */
const wordJoiner = '\u2060';

// C0, DEL, C1, zero-widths, line separators, bidirectional controls, joiners.
const invisible = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/**
 * One line without invisible or direction-changing characters, in which no mail program finds a web
 * or mail address ("visit evil.example" stays text). Escaping for HTML happens in the layout.
 */
export function sanitizeText(text: string): string {
  return text
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.:@/](?=[^\s.])/g, (mark) => `${mark}${wordJoiner}`);
}
