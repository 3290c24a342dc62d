/** Starts the sign-in document. */
import '../styles/auth.css';
import { hydrateRoot } from 'react-dom/client';
import { AuthApp } from './auth-app.tsx';
import { readRuntimeConfig } from '../api/runtime-config.ts';
import { handleStaleChunks } from '../app/stale-build.ts';
import { watchTheme } from '../ui/theme-store.ts';
import { installDoubleClickGuard } from '../ui/double-click-guard.ts';

handleStaleChunks();
watchTheme();
installDoubleClickGuard();
// A page from the back/forward cache can contain a password or show a session that has ended.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

const root = document.getElementById('root');
if (root !== null) hydrateRoot(root, <AuthApp productName={readRuntimeConfig().productName} />);
