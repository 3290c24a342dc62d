/** Shows a sentence with data in it, such as a name, which browsers must not translate. */
import { Fragment, type ReactNode } from 'react';
import { splitQuoted } from './quoted.ts';

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
