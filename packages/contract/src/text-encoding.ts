/** Encodings of text files: detection, and decoding with an encoding that the user chooses. */

/** Labels of the Encoding standard (https://encoding.spec.whatwg.org) with their names for users. */
export const encodings = {
  'utf-8': 'Unicode (UTF-8)',
  'windows-1252': 'Western European (Windows-1252)',
  'windows-1250': 'Central European (Windows-1250)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1257': 'Baltic (Windows-1257)',
  macintosh: 'Western European (Mac)',
  'utf-16le': 'Unicode (UTF-16 LE)',
  'utf-16be': 'Unicode (UTF-16 BE)',
  shift_jis: 'Japanese (Shift JIS)',
  gb18030: 'Chinese (GB 18030)',
} as const;
export type Encoding = keyof typeof encodings;

export const isEncoding = (text: string): text is Encoding => Object.hasOwn(encodings, text);

export interface DecodedText {
  readonly encoding: Encoding;
  /** True if the bytes do not prove the encoding. A person should then look at a sample. */
  readonly isGuessed: boolean;
  readonly text: string;
}

/** @param start bytes, for example those of a signature */
export const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

/**
 * Decodes a text without its byte order mark.
 *
 * @param chosen undefined detects the encoding
 * @returns null if the bytes are no text, or not of the chosen encoding
 */
export function decodeText(bytes: Uint8Array, chosen?: Encoding): DecodedText | null {
  if (chosen !== undefined) return decodeAs(bytes, chosen, false);
  if (startsWith(bytes, [0xff, 0xfe])) return decodeAs(bytes, 'utf-16le', false);
  if (startsWith(bytes, [0xfe, 0xff])) return decodeAs(bytes, 'utf-16be', false);
  const unmarked = detectUtf16(bytes);
  if (unmarked !== null) return decodeAs(bytes, unmarked, true);
  if (bytes.subarray(0, sampleBytes).includes(0)) return null;
  return decodeAs(bytes, 'utf-8', false) ?? decodeAs(bytes, 'windows-1252', true);
}

const sampleBytes = 4096;

/** Latin letters, digits and separators have a zero byte in UTF-16. */
function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [first = 0, second = 0] = zeros;
  if (Math.max(first, second) < sample.length / 8 || Math.min(first, second) > 0) return null;
  return second > first ? 'utf-16le' : 'utf-16be';
}

function decodeAs(bytes: Uint8Array, encoding: Encoding, isGuessed: boolean): DecodedText | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return { encoding, isGuessed, text: encoding === 'windows-1252' ? toWindows1252(text) : text };
  } catch {
    return null;
  }
}

/** 0x80 to 0x9f of Windows-1252. */
const upperControls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Some releases of Node.js decode Windows-1252 as Latin-1 (https://github.com/nodejs/node/issues/56542). */
const toWindows1252 = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => upperControls.charAt(control.charCodeAt(0) - 0x80));

/** Words per sample, and characters per word. */
const maxWords = 8;
const maxWordLength = 40;

const otherThanAscii = /[^\0-\x7f]/;

/** Returns the first different words with a character beyond ASCII, which depend on the encoding. */
export function sampleWords(text: string): readonly string[] {
  const words = new Set<string>();
  // Matched piece by piece: a whole file can have millions of such words.
  for (const [word] of text.matchAll(/[^\s,;|"]+/g)) {
    if (otherThanAscii.test(word)) words.add(word.slice(0, maxWordLength));
    if (words.size === maxWords) break;
  }
  return [...words];
}
