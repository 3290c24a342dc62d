/** The side panel of one record of a list. The list stays usable beside it and gets the focus back. */
import { type ReactNode, useRef, useState } from 'react';
import { screenTitleId } from './screen-header.tsx';
import { Sheet } from './sheet.tsx';
import { useHeightChange } from './use-height-change.ts';

interface RecordPanelProps<Row> {
  open: boolean;
  /** The record's id; undefined once the panel is closing. */
  id: string | undefined;
  /** Undefined until it is known, and where there is none. */
  record: Row | undefined;
  nameOf: (record: Row) => string;
  /** The title without a record. */
  unnamed: string;
  /** The attribute by which the list marks a record's row with its id. */
  rowAttribute: `data-${string}`;
  onClose: () => void;
  /** In the record's place while there is none. */
  fallback: ReactNode;
  children: (record: Row) => ReactNode;
}

export function DetailPanel<Row extends { readonly id: string }>(
  props: RecordPanelProps<Row>,
): React.JSX.Element {
  const { id, record } = props;
  // The panel keeps its words while it slides out.
  const [last, setLast] = useState<Row>();
  if (record !== undefined && record !== last) setLast(record);
  const shown = id === undefined ? last : record;
  const rowLink = (): HTMLElement | null => {
    const rowId = id ?? shown?.id;
    if (rowId === undefined) return null;
    return document.querySelector<HTMLElement>(`[${props.rowAttribute}="${CSS.escape(rowId)}"] a`);
  };
  return (
    <Sheet
      open={props.open}
      modal={false}
      onOpenChange={(next) => {
        if (!next) props.onClose();
      }}
      title={shown === undefined ? props.unnamed : <bdi>{props.nameOf(shown)}</bdi>}
      // Its row may be out of the page, and after a reload nothing else has had the focus.
      finalFocus={() => rowLink() ?? document.getElementById(screenTitleId)}
    >
      <Content>{shown === undefined ? props.fallback : props.children(shown)}</Content>
    </Sheet>
  );
}

/** Scrolls. A message that takes room at the lower end pushes up what was in view there, buttons above all. */
function Content({ children }: { children: ReactNode }): React.JSX.Element {
  const content = useRef<HTMLDivElement>(null);
  useHeightChange(content, (grown) => {
    if (grown < 0) content.current?.scrollBy(0, -grown);
  });
  return (
    <div ref={content} className="grid content-start gap-5 overflow-y-auto px-5 pb-6">
      {children}
    </div>
  );
}
