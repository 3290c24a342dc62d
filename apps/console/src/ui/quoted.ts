/** Marks data in a sentence, for `quoted-text.tsx`. */

const start = '\u2068';
const end = '\u2069';

/** Returns the data between marks. They also isolate its direction where the sentence is shown as it is. */
export const quoted = (data: string): string => `${start}${data.replaceAll(/[\u2068\u2069]/g, '')}${end}`;

/** Splits a sentence: every second part is data. */
export const splitQuoted = (sentence: string): readonly string[] =>
  sentence.split(/\u2068([^\u2069]*)\u2069/);
