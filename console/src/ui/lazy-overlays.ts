/** Layers that the frame and the first screen open, loaded on demand. */
import { lazyPart } from './lazy-part.tsx';

export const LazySheet = lazyPart(async () => (await import('./sheet.tsx')).Sheet);
export const LazyConfirmDialog = lazyPart(async () => (await import('./confirm-dialog.tsx')).ConfirmDialog);
