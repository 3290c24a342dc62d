/** A dialog with a text field and a list of matching commands: arrow keys select, Enter runs. */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useRef } from 'react';
import { useBackLayer } from './use-back-layer.ts';
import { cx } from './cx.ts';
import { isToastPress } from './dialog.tsx';
import { backdropStyle } from './overlay-style.ts';

export interface CommandItem {
  readonly id: string;
  readonly label: string;
  /** `no` for a label that is data. */
  readonly translate?: 'no' | undefined;
  /** Secondary text, in a muted color. */
  readonly detail?: string | undefined;
  /** Follows the label. */
  readonly badge?: ReactNode;
  /** A keyboard shortcut, shown at the right edge. */
  readonly keys?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
  /** True if the list stays open after the command has run. */
  readonly keepsOpen?: boolean;
  /** True if the command moves the focus, so the dialog must not restore the previous focus. */
  readonly movesFocus?: boolean;
}

export interface CommandGroup {
  readonly value: string;
  readonly items: readonly CommandItem[];
}

interface CommandListProps {
  open: boolean;
  onClose: () => void;
  /** Accessible name of dialog and field. */
  label: string;
  placeholder: string;
  text: string;
  onTextChange: (text: string) => void;
  /** The commands that match the text. */
  groups: readonly CommandGroup[];
  /** Shown below the list and announced politely: the search in progress, or why it failed. */
  status: string;
  /** Shown if no command matches. */
  emptyText: string;
  footer: ReactNode;
}

export function CommandList(props: CommandListProps): React.JSX.Element {
  const { open, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  const movesFocus = useRef(false);
  useBackLayer(open, onClose);
  const runItem = (item: CommandItem): void => {
    movesFocus.current = item.movesFocus === true;
    if (item.keepsOpen !== true) onClose();
    item.run();
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next, details) => {
        if (isToastPress(details)) details.cancel();
        else if (!next) onClose();
      }}
      onOpenChangeComplete={(isOpen) => {
        // Reset on opening only: on closing, the dialog restores the focus after this call.
        if (isOpen) movesFocus.current = false;
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropStyle} />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-4 pt-[max(1rem,10svh)]">
          <Dialog.Popup
            aria-label={props.label}
            initialFocus={input}
            finalFocus={() => !movesFocus.current}
            className={cx(
              'flex max-h-[min(32rem,80svh)] w-full max-w-xl flex-col overflow-hidden rounded-lg border border-border bg-raised text-foreground shadow-lg outline-none',
              'transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0 motion-reduce:transition-none',
            )}
          >
            <CommandListContent {...props} input={input} onRun={runItem} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface CommandListContentProps extends CommandListProps {
  input: React.RefObject<HTMLInputElement | null>;
  onRun: (item: CommandItem) => void;
}

function CommandListContent(props: CommandListContentProps): React.JSX.Element {
  const { label, groups, text, input, onRun } = props;
  return (
    <Autocomplete.Root
      open
      inline
      mode="none"
      items={groups}
      value={text}
      onValueChange={(value, details) => {
        // Ignore item presses, which would write the label into the field.
        if (details.reason !== 'item-press') props.onTextChange(value);
      }}
      itemToStringValue={(item: CommandItem) => item.label}
      autoHighlight="always"
      keepHighlight
    >
      <div className="flex shrink-0 items-center gap-3 border-b border-border px-4">
        <Search aria-hidden className="size-4 shrink-0 text-muted" />
        <Autocomplete.Input
          ref={input}
          aria-label={label}
          placeholder={props.placeholder}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={(event) => {
            // Close only this dialog, not also a panel below it.
            if (event.key !== 'Escape') return;
            event.preventBaseUIHandler();
            event.stopPropagation();
            props.onClose();
          }}
          className="h-12 w-full min-w-0 bg-transparent text-base outline-none placeholder:text-muted md:text-sm"
        />
      </div>
      <Autocomplete.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto p-2 empty:hidden">
        {(group: CommandGroup) => (
          <Autocomplete.Group key={group.value} items={group.items} className="not-last:mb-2">
            <Autocomplete.GroupLabel className="px-2 py-1.5 text-xs font-medium text-muted">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: CommandItem) => <CommandListItem key={item.id} item={item} onRun={onRun} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
      <Autocomplete.Empty className="px-4 py-8 text-center text-sm text-muted empty:hidden">
        {props.emptyText}
      </Autocomplete.Empty>
      <Autocomplete.Status className="shrink-0 px-4 pb-2 text-xs text-muted empty:hidden">
        {props.status}
      </Autocomplete.Status>
      <div className="hidden shrink-0 border-t border-border px-4 py-2 text-xs text-muted sm:block">
        {props.footer}
      </div>
    </Autocomplete.Root>
  );
}

function CommandListItem({
  item,
  onRun,
}: {
  item: CommandItem;
  onRun: (item: CommandItem) => void;
}): React.JSX.Element {
  return (
    <Autocomplete.Item
      value={item}
      onClick={() => onRun(item)}
      className="flex min-h-9 cursor-default items-center gap-3 rounded-md px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-border [&>span>svg]:size-4 [&>span>svg]:shrink-0 [&>span>svg]:text-muted"
    >
      <span aria-hidden className="contents">
        {item.icon}
      </span>
      <span className="min-w-0 truncate" dir="auto" translate={item.translate}>
        {item.label}
      </span>
      {item.badge}
      {item.detail !== undefined && (
        <span className="max-w-2/5 shrink-0 truncate text-xs text-muted" dir="auto" translate="no">
          {item.detail}
        </span>
      )}
      {item.keys !== undefined && (
        <kbd className="ml-auto shrink-0 rounded border border-border px-1.5 font-sans text-2xs text-muted">
          {item.keys}
        </kbd>
      )}
    </Autocomplete.Item>
  );
}
