/** Ctrl/Cmd+/: every shortcut of the console. None is a bare character, so typing never triggers one. */
import { Dialog } from '../../ui/dialog.tsx';
import { shortcutText } from '../../ui/shortcut-keys.ts';

interface ShortcutsDialogProps {
  open: boolean;
  onClose: () => void;
}

const shortcuts = (): readonly { readonly keys: string; readonly does: string }[] => [
  { keys: shortcutText('K'), does: 'Search accounts, go to a screen, run a command' },
  { keys: shortcutText('B'), does: 'Show or hide the sidebar' },
  { keys: shortcutText('/'), does: 'Show this list' },
  { keys: '↑ ↓', does: 'Move between the rows of a list' },
  { keys: 'Enter', does: 'Open the row, send the form' },
  { keys: 'Esc', does: 'Close the topmost panel or dialog' },
];

export function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps): React.JSX.Element {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title="Keyboard shortcuts"
      className="max-w-md"
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-3 text-sm">
        {shortcuts().map(({ keys, does }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-border bg-subtle px-1.5 py-0.5 font-sans text-xs whitespace-nowrap">
                {keys}
              </kbd>
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
