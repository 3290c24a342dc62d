/**
 * Runs before the first paint in the console's document (built to /console-boot.js): sets the theme, and uses
 * the time in which the code is on its way. Keep it small.
 */
import { showStoredTheme, storedText } from './boot-storage.ts';
import { askEarly } from './early-answers.ts';
import { earlyIdentity } from './early-decision.ts';
import { backendAddress, readRuntimeConfig } from '../runtime-config.ts';
import { sessionStorageKey } from '../session/session-storage-key.ts';

showStoredTheme();

const config = readRuntimeConfig();
const backend = backendAddress(config, location.origin);
const stored = storedText(sessionStorageKey(backend));
const identity = earlyIdentity(location.pathname, stored, Date.now() / 1000);
if (identity !== null) askEarly({ ...identity, anonKey: config.anonKey, backend });

// The first one loads tables of the browser, which takes as long as drawing a screen.
setTimeout(() => new Intl.DateTimeFormat());
