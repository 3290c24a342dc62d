/** A multi-select list, as in the listbox pattern of the WAI-ARIA Authoring Practices. */
import { type KeyboardEvent, useId, useState } from 'react';
import { cx } from './cx.ts';
import type { DualListItem } from './dual-list.ts';
import { isShortcut } from './shortcut-keys.ts';

interface ListBoxProps {
  label: string;
  items: readonly DualListItem[];
  marked: ReadonlySet<string>;
  onMarkedChange: (marked: ReadonlySet<string>) => void;
  /** Called on Enter or double-click with the marked items, or with the active item if none is marked. */
  onMove: (items: readonly DualListItem[]) => void;
}

/** The list has the focus; `aria-activedescendant` refers to the active item. */
export function ListBox({ label, items, marked, onMarkedChange, onMove }: ListBoxProps): React.JSX.Element {
  const id = useId();
  const [position, setPosition] = useState(0);
  const active = Math.min(position, items.length - 1);

  const toggle = (item: DualListItem): void => {
    const next = new Set(marked);
    if (!next.delete(item.value)) next.add(item.value);
    onMarkedChange(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const current = items[active];
    const target = positionAfter(event.key, active, items.length);
    if (target !== undefined) setPosition(target);
    else if (event.key === ' ' && current !== undefined) toggle(current);
    else if (event.key === 'Enter' && current !== undefined) {
      onMove(marked.size > 0 ? items.filter((item) => marked.has(item.value)) : [current]);
    } else if (isShortcut(event.nativeEvent, 'a')) {
      onMarkedChange(marked.size === items.length ? new Set() : new Set(items.map((item) => item.value)));
    } else return;
    event.preventDefault();
  };
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <p id={`${id}-label`} className="flex justify-between text-sm font-medium">
        {label}
        <span aria-hidden className="font-normal text-muted">
          {items.length}
        </span>
      </p>
      <div
        role="listbox"
        aria-labelledby={`${id}-label`}
        aria-multiselectable="true"
        aria-activedescendant={items.length > 0 ? `${id}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        // A click focuses the option, but the keyboard handler and the focus ring belong to the list.
        onClick={(event) => event.currentTarget.focus()}
        className="group h-48 overflow-y-auto rounded-md border border-input bg-raised p-1 select-none"
      >
        {items.map((item, index) => (
          <ListOption
            key={item.value}
            id={`${id}-${index}`}
            label={item.label}
            marked={marked.has(item.value)}
            active={index === active}
            onPress={() => {
              setPosition(index);
              toggle(item);
            }}
            onMove={() => onMove([item])}
          />
        ))}
      </div>
    </div>
  );
}

interface ListOptionProps {
  id: string;
  label: string;
  marked: boolean;
  /** True for the item that keys apply to. */
  active: boolean;
  onPress: () => void;
  onMove: () => void;
}

function ListOption({ id, label, marked, active, onPress, onMove }: ListOptionProps): React.JSX.Element {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={marked}
      onClick={onPress}
      onDoubleClick={onMove}
      className={cx(
        'flex min-h-8 cursor-default items-center rounded-sm px-2 text-sm wrap-anywhere hover:bg-subtle',
        'aria-selected:bg-primary aria-selected:text-primary-foreground',
        active && '-outline-offset-2 group-focus-visible:outline-2 group-focus-visible:outline-ring',
        active && marked && 'outline-offset-1',
      )}
    >
      {label}
    </div>
  );
}

/** Returns the position after an arrow key, Home or End, or undefined for any other key. */
const positionAfter = (key: string, active: number, count: number): number | undefined => {
  const last = Math.max(0, count - 1);
  if (key === 'ArrowDown') return Math.min(active + 1, last);
  if (key === 'ArrowUp') return Math.max(active - 1, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  return undefined;
};
