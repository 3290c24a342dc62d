/**
 * Two sorted lists between which items can be moved without dragging: select items by click or with the arrow
 * keys and Space, then use a button or Enter, or double-click an item. Moves are announced.
 */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ChevronsLeft from 'lucide-react/icons/chevrons-left';
import ChevronsRight from 'lucide-react/icons/chevrons-right';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { type DualList, type DualListItem, moveItems, type Side } from './dual-list.ts';
import { ListBox } from './list-box.tsx';

interface DualListBoxProps {
  value: DualList;
  onValueChange: (value: DualList) => void;
  availableLabel?: string;
  selectedLabel?: string;
}

const noItems: ReadonlySet<string> = new Set();

export function DualListBox(props: DualListBoxProps): React.JSX.Element {
  const { value, onValueChange, availableLabel = 'Available', selectedLabel = 'Selected' } = props;
  const [marked, setMarked] = useState<Readonly<Record<Side, ReadonlySet<string>>>>({
    available: noItems,
    selected: noItems,
  });
  const [announcement, setAnnouncement] = useState('');
  const labels: Readonly<Record<Side, string>> = { available: availableLabel, selected: selectedLabel };

  const moveFrom = (from: Side, items: readonly DualListItem[]): void => {
    if (items.length === 0) return;
    onValueChange(moveItems(value, from, new Set(items.map((item) => item.value))));
    setMarked({ available: noItems, selected: noItems });
    const to = labels[from === 'available' ? 'selected' : 'available'];
    setAnnouncement(`${items.map((item) => item.label).join(', ')} moved to ${to}`);
  };
  const markedItems = (side: Side): readonly DualListItem[] =>
    value[side].filter((item) => marked[side].has(item.value));
  const list = (side: Side): ReactNode => (
    <ListBox
      label={labels[side]}
      items={value[side]}
      marked={marked[side]}
      onMarkedChange={(next) => setMarked({ ...marked, [side]: next })}
      onMove={(items) => moveFrom(side, items)}
    />
  );
  const button = (from: Side, text: string, icon: ReactNode, items: readonly DualListItem[]): ReactNode => (
    <Button variant="outline" size="sm" disabled={items.length === 0} onClick={() => moveFrom(from, items)}>
      {icon}
      {text}
    </Button>
  );
  return (
    <div className="grid gap-3 sm:grid-cols-[1fr_auto_1fr]">
      {list('available')}
      <div className="grid grid-cols-2 content-center gap-2 sm:grid-cols-1">
        {button('available', 'Add', <ArrowRight aria-hidden />, markedItems('available'))}
        {button('available', 'Add all', <ChevronsRight aria-hidden />, value.available)}
        {button('selected', 'Remove', <ArrowLeft aria-hidden />, markedItems('selected'))}
        {button('selected', 'Remove all', <ChevronsLeft aria-hidden />, value.selected)}
      </div>
      {list('selected')}
      <output className="sr-only">{announcement}</output>
    </div>
  );
}
