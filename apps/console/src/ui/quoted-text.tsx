/** Marks and shows data in a sentence, such as a name, which browsers must not translate. */
import { Fragment, type ReactNode } from 'react';

const start = '\u2068';
const end = '\u2069';

/** Returns the data between marks. They also isolate its direction where the sentence is shown as it is. */
export const quoted = (data: string): string => `${start}${data.replaceAll(/[\u2068\u2069]/g, '')}${end}`;

/** Splits a sentence: every second part is data. */
export const splitQuoted = (sentence: string): readonly string[] =>
  sentence.split(/\u2068([^\u2069]*)\u2069/);

/** @param children a sentence whose data is marked by `quoted`; anything else is shown as it is */
export function QuotedText({ children }: { children: ReactNode }): ReactNode {
  if (typeof children !== 'string') return children;
  return splitQuoted(children).map((part, index) =>
    index % 2 === 1 ? (
      // The parts of a sentence never move.
      <bdi key={index} translate="no">
        {part}
      </bdi>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
