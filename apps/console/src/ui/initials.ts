/**
 * First letters of the first and the last word of a name, in upper case; an e-mail address gives its
 * first letter. Counts what people see as one character, so that a flag or an accent stays whole.
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
