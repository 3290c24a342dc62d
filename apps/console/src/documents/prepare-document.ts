/** Prepares both documents before their first render, and opens a document if the browser can store its data. */
import { reportUnknownFeatures } from '../api/runtime-config.ts';
import { serverTimeMs } from '../api/server-clock.ts';
import { handleStaleChunks } from '../app/stale-build.ts';
import { installDoubleClickGuard } from '../ui/double-click-guard.ts';
import { protectFromForeignNodes } from '../ui/foreign-nodes.ts';
import { watchTheme } from '../ui/theme-store.ts';
import { setClock } from '../ui/clock.ts';
import { storageProblem } from './storage-problem.ts';

/** Call once per document, before any other listener of the window. */
export const prepareDocument = (): void => {
  installCompositionGuard();
  protectFromForeignNodes();
  handleStaleChunks();
  reportUnknownFeatures();
  watchTheme();
  setClock(serverTimeMs);
  installDoubleClickGuard();
};

/** Calls `render` with the root element, or shows why the document cannot be used. */
export const mountDocument = (render: (root: HTMLElement) => void): void => {
  const root = document.getElementById('root');
  if (root === null) return;
  const problem = storageProblem();
  if (problem === null) render(root);
  else
    void import('./blocked-storage.tsx').then(({ showStorageProblem }) => showStorageProblem(root, problem));
};

/** The key code of a key that the input method handles. Safari ends the composition before it reports its Enter. */
const compositionKeyCode = 229;

const isCompositionKey = (event: KeyboardEvent): boolean =>
  event.isComposing || Reflect.get(event, 'keyCode') === compositionKeyCode;

/**
 * Leaves the keys of an input method to it: while the user composes text, Escape, Enter and the arrow keys choose or end
 * the composition. They must not clear a search, close a dialog or submit a form.
 */
const installCompositionGuard = (): void => {
  addEventListener(
    'keydown',
    (event) => {
      // Shortcuts are not part of a composition.
      if (!isCompositionKey(event) || event.ctrlKey || event.metaKey) return;
      event.stopImmediatePropagation();
      // By default, Enter submits the form, and Escape clears a search field.
      if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault();
    },
    { capture: true },
  );
};
