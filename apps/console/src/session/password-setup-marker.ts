/**
 * The marker of specification section 2: this tab came from a link that asks for a new password.
 * It only chooses a screen. What a session may do is for the service to say, so it guards nothing.
 */
const key = 'needs_password_setup';

/** A link asks for it with exactly the text `true` (reading A06). */
export const isPasswordSetupRequested = (search: string): boolean =>
  new URLSearchParams(search).get('setup') === 'true';

export const setPasswordSetupMarker = (): void => sessionStorage.setItem(key, 'true');
export const clearPasswordSetupMarker = (): void => sessionStorage.removeItem(key);
export const hasPasswordSetupMarker = (): boolean => sessionStorage.getItem(key) !== null;
