/**
 * Returns the first letters of the first and last word of a name in upper case, or the first letter of an
 * email address. Counts grapheme clusters, so that a flag or a letter with a combining accent is one letter.
 */
export const initials = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });
  return ends
    .map((word) => segments.segment(word ?? '').containing(0)?.segment ?? '')
    .join('')
    .toUpperCase();
};
