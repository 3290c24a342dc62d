/**
 * The session storage marker of a tab that was opened by a link for setting a password. It only selects a
 * screen and is no security check: the service decides what a session can do.
 */
const key = 'needs_password_setup';

/** Returns true if the query has `setup=true`. No other value counts. */
export const isPasswordSetupRequested = (search: string): boolean =>
  new URLSearchParams(search).get('setup') === 'true';

export const setPasswordSetupMarker = (): void => sessionStorage.setItem(key, 'true');
export const clearPasswordSetupMarker = (): void => sessionStorage.removeItem(key);
export const hasPasswordSetupMarker = (): boolean => sessionStorage.getItem(key) !== null;
