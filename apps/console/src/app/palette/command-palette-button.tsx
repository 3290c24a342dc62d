/** Opens the command palette and the list of shortcuts by shortcut or by the button in the header. */
import Search from 'lucide-react/icons/search';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { ariaShortcut, isShortcut, shortcutKeys, shortcutText } from '../../ui/shortcut-keys.ts';

const CommandPalette = lazyOverlay(async () => (await import('./command-palette.tsx')).CommandPalette);
const ShortcutsDialog = lazyOverlay(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

type Overlay = 'none' | 'palette' | 'shortcuts';

/** Returns the overlay of a shortcut, or null for any other key. */
const overlayFor = (event: KeyboardEvent): Overlay | null => {
  if (isShortcut(event, shortcutKeys.palette)) return 'palette';
  return isShortcut(event, shortcutKeys.list) ? 'shortcuts' : null;
};

/** Returns true while any modal dialog is open. */
const isModalOpen = (): boolean => document.querySelector('[data-modal-layer]') !== null;

export function CommandPaletteButton(): React.JSX.Element {
  const [overlay, setOverlay] = useState<Overlay>('none');
  const close = useCallback(() => setOverlay('none'), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const requested = overlayFor(event);
      if (requested === null) return;
      // Prevent the browser's own search shortcut.
      event.preventDefault();
      if (event.repeat) return;
      setOverlay((current) => {
        if (current === requested) return 'none';
        // Nothing opens above another modal dialog.
        if (current === 'none' && isModalOpen()) return current;
        return requested;
      });
    };
    // The capture phase makes the shortcuts work in text fields too.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return (
    <>
      <Button
        variant="outline"
        size="icon"
        aria-haspopup="dialog"
        aria-keyshortcuts={ariaShortcut(shortcutKeys.palette)}
        className="ml-auto text-sm sm:w-auto sm:justify-between sm:gap-6 sm:px-3"
        onPointerEnter={CommandPalette.preload}
        onFocus={CommandPalette.preload}
        onClick={() => setOverlay('palette')}
      >
        <span className="contents text-muted sm:flex sm:items-center sm:gap-2">
          <Search aria-hidden />
          <span className="sr-only">Search or run a command</span>
          <span aria-hidden className="hidden font-normal sm:inline">
            Search
          </span>
        </span>
        <kbd aria-hidden className="hidden font-sans text-2xs text-muted sm:inline">
          {shortcutText(shortcutKeys.palette)}
        </kbd>
      </Button>
      <CommandPalette
        open={overlay === 'palette'}
        onClose={close}
        onShortcuts={() => setOverlay('shortcuts')}
      />
      <ShortcutsDialog open={overlay === 'shortcuts'} onClose={close} />
    </>
  );
}
