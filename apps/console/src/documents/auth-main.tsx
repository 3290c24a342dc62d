/** Starts the sign-in document. */
import '../styles/auth.css';
import { hydrateRoot } from 'react-dom/client';
import { AuthApp } from './auth-app.tsx';
import { showStorageProblem, storageProblem } from './blocked-storage.tsx';
import { keepInput } from './kept-input.ts';
import { readRuntimeConfig, reportUnknownFeatures } from '../api/runtime-config.ts';
import { handleStaleChunks } from '../app/stale-build.ts';
import { installCompositionGuard } from '../ui/composition-guard.ts';
import { protectFromForeignNodes } from '../ui/foreign-nodes.ts';
import { watchTheme } from '../ui/theme-store.ts';
import { installDoubleClickGuard } from '../ui/double-click-guard.ts';

installCompositionGuard();
protectFromForeignNodes();
handleStaleChunks();
reportUnknownFeatures();
watchTheme();
installDoubleClickGuard();
// A page from the back/forward cache can contain a password or show a session that has ended.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

const root = document.getElementById('root');
const problem = storageProblem();
if (root !== null && problem !== null) showStorageProblem(root, problem);
else if (root !== null) {
  keepInput();
  hydrateRoot(root, <AuthApp productName={readRuntimeConfig().productName} />, {
    // A translator or an extension has changed the page. React has rendered it again, and the input is restored.
    onRecoverableError: () => undefined,
  });
}
