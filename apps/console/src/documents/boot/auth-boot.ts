/**
 * The only blocking script of the sign-in document (built to /boot.js): applies the theme and selects the
 * prerendered initial view before the first paint, and holds presses until hydration. Keep it small.
 */
import { selectInitialView } from './initial-view.ts';
import { applyStoredTheme } from '../../ui/theme.ts';
import { readStoredText } from '../../api/stored-session.ts';
import { holdPresses } from '../../ui/held-presses.ts';

holdPresses();
applyStoredTheme();
document.documentElement.dataset['view'] = selectInitialView(location.pathname, readStoredText());
