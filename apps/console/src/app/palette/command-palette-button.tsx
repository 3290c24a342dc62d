/** The way to the command palette: by its shortcut, and by a button in the header that names it. */
import Search from 'lucide-react/icons/search';
import { useCallback, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/lazy-overlay.tsx';
import { isShortcut, shortcutText } from '../../ui/shortcut-keys.ts';

const CommandPalette = lazyOverlay(async () => (await import('./command-palette.tsx')).CommandPalette);
const ShortcutsDialog = lazyOverlay(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);

/** Loads both while the browser has nothing else to do. */
export const preloadCommandPalette = (): void => {
  CommandPalette.preload();
  ShortcutsDialog.preload();
};

type Layer = 'none' | 'palette' | 'shortcuts';

/** A question or a form that must be answered first: nothing opens above it. */
const isBlocked = (): boolean => document.querySelector('[data-modal-layer]') !== null;

export function CommandPaletteButton(): React.JSX.Element {
  const [layer, setLayer] = useState<Layer>('none');
  const close = useCallback(() => setLayer('none'), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const wanted = isShortcut(event, 'k') ? 'palette' : isShortcut(event, '/') ? 'shortcuts' : null;
      if (wanted === null) return;
      // Else the browser would take the keys for its own search.
      event.preventDefault();
      if (event.repeat) return;
      setLayer((now) => (now === wanted ? 'none' : now === 'none' && isBlocked() ? now : wanted));
    };
    // Captured, so that it works wherever the focus is, also in text fields.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
  const keys = shortcutText('K');
  return (
    <>
      <Button
        variant="outline"
        aria-label="Search or run a command"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="ml-auto size-9 px-0 text-muted sm:w-auto sm:justify-between sm:gap-6 sm:px-3"
        onPointerEnter={CommandPalette.preload}
        onFocus={CommandPalette.preload}
        onClick={() => setLayer('palette')}
      >
        <span className="contents sm:flex sm:items-center sm:gap-2">
          <Search aria-hidden />
          <span className="hidden font-normal sm:inline">Search...</span>
        </span>
        <kbd className="hidden font-sans text-2xs sm:inline">{keys}</kbd>
      </Button>
      <CommandPalette open={layer === 'palette'} onClose={close} onShortcuts={() => setLayer('shortcuts')} />
      <ShortcutsDialog open={layer === 'shortcuts'} onClose={close} />
    </>
  );
}
