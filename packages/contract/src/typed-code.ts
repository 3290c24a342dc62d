/** Codes that a person types: of an authenticator app, a text message, an email, and recovery codes. */

/** Codes are short. A longer text is not a code, and does not change. */
const maxLength = 100;

/**
 * Removes what does not count in a typed or pasted code: full-width forms, the digits of other scripts, spaces, hyphens and
 * invisible characters.
 */
export const normalizeCode = (text: string): string =>
  text.length > maxLength
    ? text
    : text
        .normalize('NFKC')
        .replace(/[\s\p{Cf}\p{Pd}]/gu, '')
        .replace(/\p{Nd}/gu, toAsciiDigit);

/** The ten digits of a script are consecutive, and no other digit precedes their zero except a nine. */
function toAsciiDigit(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let position = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(codePoint - position - 1))) position += 1;
  return String(position % 10);
}
