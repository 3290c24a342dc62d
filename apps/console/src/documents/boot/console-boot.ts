/**
 * The boot script of the console document (built to /console-boot.js): applies the theme before the first paint
 * and prefetches the data of the accounts screen while the application bundle loads. Keep it small.
 */
import { applyStoredTheme } from '../../ui/theme.ts';
import { prefetch } from '../../api/prefetch.ts';
import { backendAddress, readRuntimeConfig } from '../../api/runtime-config.ts';
import { readStoredText } from '../../api/stored-session.ts';
import { findPrefetchCredentials } from './find-prefetch-credentials.ts';
import { accountsScreenReads } from '../../features/accounts/accounts-screen-reads.ts';

applyStoredTheme();

const config = readRuntimeConfig();
const backend = backendAddress(config, location.origin);
const credentials = findPrefetchCredentials(location.pathname, readStoredText(), Date.now() / 1000);
if (credentials !== null) {
  const { userId, token } = credentials;
  prefetch(accountsScreenReads(userId), { token, anonKey: config.anonKey, backend });
}

// The first DateTimeFormat loads locale data, which takes as long as rendering a screen.
setTimeout(() => new Intl.DateTimeFormat());
