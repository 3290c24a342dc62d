/** A link that opens a record on the same screen. With a modifier key, the browser handles it: new tab, download. */
import type { ComponentProps, MouseEvent } from 'react';
import { cx } from './cx.ts';

export const isModifiedClick = (event: MouseEvent): boolean =>
  event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;

interface RecordLinkProps extends ComponentProps<'a'> {
  href: string;
  onOpen: () => void;
}

export function RecordLink({ href, onOpen, children, ...link }: RecordLinkProps): React.JSX.Element {
  return (
    <a
      {...link}
      href={href}
      onClick={(event) => {
        if (isModifiedClick(event)) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {children}
    </a>
  );
}

/** The name of a record in the main column of its row. */
export function RowLink({ name, className, ...link }: RecordLinkProps & { name: string }): React.JSX.Element {
  return (
    <RecordLink
      {...link}
      title={name}
      // A right-to-left name is aligned right and truncated at its end.
      dir="auto"
      translate="no"
      className={cx(
        'scroll-mt-(--covered-above) scroll-mb-(--covered-below) truncate rounded-sm font-medium',
        'underline-offset-2 -outline-offset-1 group-hover:underline',
        className,
      )}
    >
      {name}
    </RecordLink>
  );
}
