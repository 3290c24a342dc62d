/** Overlays of the frame and the initial screen, loaded on demand. */
import { lazyOverlay } from './lazy-overlay.tsx';

export const LazySheet = lazyOverlay(async () => (await import('./sheet.tsx')).Sheet);
export const LazyConfirmDialog = lazyOverlay(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
);
