/** Starts the sign-in document. */
import '../styles/auth.css';
import { hydrateRoot } from 'react-dom/client';
import { AuthApp } from './auth-app.tsx';
import { keepInput } from './kept-input.ts';
import { mountDocument, prepareDocument } from './prepare-document.ts';
import { readRuntimeConfig } from '../api/runtime-config.ts';

prepareDocument();
// A page from the back/forward cache can contain a password or show a session that has ended.
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

mountDocument((root) => {
  keepInput();
  hydrateRoot(root, <AuthApp productName={readRuntimeConfig().productName} />, {
    // React renders again after a translator or an extension has changed the page, and `restoreInput` restores the input.
    onRecoverableError: () => undefined,
  });
});
