/** An email address in running text, which breaks after a dot, a hyphen or the at sign if it does not fit on a line. */
import { Fragment } from 'react';

export function EmailAddress({ children }: { children: string }): React.JSX.Element {
  const parts = children.split(/(?<=[.@-])/);
  return (
    <bdi translate="no" className="wrap-anywhere">
      {parts.map((part, index) => (
        // The parts have no identity of their own.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
