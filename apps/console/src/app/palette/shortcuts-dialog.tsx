/** List of shortcuts (Ctrl/Cmd+/). No shortcut is a single character, so typing never triggers one. */
import { Dialog } from '../../ui/dialog.tsx';
import { shortcutKeys, shortcutText } from '../../ui/shortcut-keys.ts';

interface ShortcutsDialogProps {
  open: boolean;
  onClose: () => void;
}

const shortcuts = (): readonly { readonly keys: string; readonly description: string }[] => [
  { keys: shortcutText(shortcutKeys.palette), description: 'Search accounts, go to a screen, run a command' },
  { keys: shortcutText(shortcutKeys.sidebar), description: 'Show or hide the sidebar' },
  { keys: shortcutText(shortcutKeys.list), description: 'Show this list' },
  { keys: '↑ ↓', description: 'Move between the rows of a list' },
  { keys: 'Alt+↑ Alt+↓', description: 'Open the previous or next account in the panel' },
  { keys: 'Enter', description: 'Open a row, submit a form' },
  { keys: 'Esc', description: 'Close the topmost panel or dialog' },
];

export function ShortcutsDialog({ open, onClose }: ShortcutsDialogProps): React.JSX.Element {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title="Keyboard shortcuts"
      size="md"
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-3 text-sm">
        {shortcuts().map(({ keys, description }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-border bg-subtle px-1.5 py-0.5 font-sans text-xs whitespace-nowrap">
                {keys}
              </kbd>
            </dt>
            <dd className="text-muted">{description}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
