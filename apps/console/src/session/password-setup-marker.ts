/**
 * Detects that a link for setting a password opened this tab: by `setup=true` in the URL, or by a marker in session storage.
 * Both only select a screen; the service decides what a session can do.
 */

/** URL of the screen that sets a password. */
export const setPasswordPath = '/auth/set-password?setup=true';

/** Key of the marker. */
const key = 'needs_password_setup';

/** Returns true if the query has `setup=true`. No other value counts. */
export const isPasswordSetupRequested = (search: string): boolean =>
  new URLSearchParams(search).get('setup') === 'true';

export const setPasswordSetupMarker = (): void => sessionStorage.setItem(key, 'true');
export const clearPasswordSetupMarker = (): void => sessionStorage.removeItem(key);
export const hasPasswordSetupMarker = (): boolean => sessionStorage.getItem(key) !== null;
