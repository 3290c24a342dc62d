/** The side panel of one record of a list. The list remains usable, and gets the focus back on close. */
import { type ReactNode, useRef } from 'react';
import { cx } from './cx.ts';
import { screenTitleId } from './screen-header.tsx';
import { Sheet } from './sheet.tsx';
import { useHeightChange } from './use-height-change.ts';
import { useLastDefined } from './use-last-defined.ts';

interface DetailPanelProps<Row> {
  open: boolean;
  /** ID of the record; undefined while the panel closes. */
  id: string | undefined;
  /** Undefined if the record is not loaded or does not exist. */
  record: Row | undefined;
  nameOf: (record: Row) => string;
  /** The title without a record. */
  unnamed: string;
  /** The attribute that contains the record ID on each row of the list. */
  rowAttribute: `data-${string}`;
  onClose: () => void;
  /** Shown without a record. */
  fallback: ReactNode;
  /** Controls beside the title. */
  renderTitleActions?: (record: Row) => ReactNode;
  children: (record: Row) => ReactNode;
}

export function DetailPanel<Row extends { readonly id: string }>(
  props: DetailPanelProps<Row>,
): React.JSX.Element {
  const { id, record } = props;
  const last = useLastDefined(record);
  const shown = id === undefined ? last : record;
  const rowLink = (): HTMLElement | null => {
    const rowId = id ?? shown?.id;
    if (rowId === undefined) return null;
    return document.querySelector<HTMLElement>(`[${props.rowAttribute}="${CSS.escape(rowId)}"] a`);
  };
  return (
    <Sheet
      inUrl
      open={props.open}
      modal={false}
      onOpenChange={(next) => {
        if (!next) props.onClose();
      }}
      title={shown === undefined ? props.unnamed : <bdi translate="no">{props.nameOf(shown)}</bdi>}
      titleActions={shown !== undefined && props.renderTitleActions?.(shown)}
      // The row may not be in the page. After a reload, there is no previous focus to restore.
      finalFocus={() => rowLink() ?? document.getElementById(screenTitleId)}
    >
      <Content>{shown === undefined ? props.fallback : props.children(shown)}</Content>
    </Sheet>
  );
}

/** Returns how far the content can scroll until the element in it that shows the focus leaves the view. */
const heightAboveFocus = (content: HTMLElement): number => {
  const focused = content.querySelector(':focus-visible');
  if (focused === null) return Infinity;
  const distance = focused.getBoundingClientRect().top - content.getBoundingClientRect().top;
  return Math.max(0, distance);
};

/**
 * The scrollable content. Scrolls up when a toast covers the bottom, so that the buttons there remain
 * visible.
 */
function Content({ children }: { children: ReactNode }): React.JSX.Element {
  const content = useRef<HTMLDivElement>(null);
  useHeightChange(content, (deltaPx) => {
    if (deltaPx < 0) content.current?.scrollBy(0, Math.min(-deltaPx, heightAboveFocus(content.current)));
  });
  return (
    <div ref={content} className="grid content-start gap-5 overflow-y-auto px-5 pb-6">
      {children}
    </div>
  );
}

/** Names and values of a record, in two columns. */
export function DetailList({ children }: { children: ReactNode }): React.JSX.Element {
  return <dl className="grid grid-cols-2 gap-3">{children}</dl>;
}

interface DetailProps {
  name: string;
  /** True for a value that needs both columns. */
  wide?: boolean;
  children: ReactNode;
}

export function Detail({ name, wide = false, children }: DetailProps): React.JSX.Element {
  return (
    <div className={cx('grid content-start gap-0.5 border-t border-border pt-3', wide && 'col-span-2')}>
      <dt className="text-xs font-medium text-muted">{name}</dt>
      <dd className="text-sm wrap-anywhere">{children}</dd>
    </div>
  );
}
