/** Starts the sign-in document. */
import '../styles/auth.css';
import { hydrateRoot } from 'react-dom/client';
import { AuthApp } from './auth-app.tsx';
import { readRuntimeConfig } from '../runtime-config.ts';
import { handleStaleChunks } from '../boot/stale-chunks.ts';
import { watchTheme } from '../theme/theme-store.ts';
import { installDoubleClickGuard } from '../ui/double-press.ts';

handleStaleChunks();
watchTheme();
installDoubleClickGuard();
// A page from the back/forward cache may hold a password or a session that has ended since.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

const root = document.getElementById('root');
if (root !== null) hydrateRoot(root, <AuthApp productName={readRuntimeConfig().productName} />);
