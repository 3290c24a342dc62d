/**
 * Runs before the first paint in the console's document (built to /console-boot.js): sets the theme, and uses
 * the time in which the code is on its way. Keep it small.
 */
import { applyStoredTheme, readLocalStorage } from './boot-storage.ts';
import { prefetchAccountsScreen } from '../../api/prefetch.ts';
import { prefetchIdentity } from './prefetch-policy.ts';
import { backendAddress, readRuntimeConfig } from '../../api/runtime-config.ts';
import { sessionStorageKey } from '../../api/session-storage-key.ts';

applyStoredTheme();

const config = readRuntimeConfig();
const backend = backendAddress(config, location.origin);
const stored = readLocalStorage(sessionStorageKey(backend));
const identity = prefetchIdentity(location.pathname, stored, Date.now() / 1000);
if (identity !== null) prefetchAccountsScreen({ ...identity, anonKey: config.anonKey, backend });

// The first one loads tables of the browser, which takes as long as drawing a screen.
setTimeout(() => new Intl.DateTimeFormat());
