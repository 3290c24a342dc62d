/**
 * Detects that a link for setting a password opened this tab: by `setup=true` in the URL, or by a marker in session storage.
 * Both only select a screen; the service decides what a session can do.
 */
import { homePath, membershipPath } from './next-path.ts';

/** URL of the screen that sets a password. */
export const setPasswordPath = '/auth/set-password?setup=true';

/** Key of the marker. */
const key = 'needs_password_setup';

/** Returns true if the query has `setup=true`. No other value counts. */
export const isPasswordSetupRequested = (search: string): boolean =>
  new URLSearchParams(search).get('setup') === 'true';

/** Returns true if the query has `member=true`: the link of an invitation as a member of an account. */
export const isMemberLink = (search: string): boolean => new URLSearchParams(search).get('member') === 'true';

/** What the link is for: an invitation as an administrator or as a member of an account, or something else (`true`). */
export type SetupPurpose = 'administrator' | 'member' | 'true';

export const setPasswordSetupMarker = (purpose: SetupPurpose): void => sessionStorage.setItem(key, purpose);
export const clearPasswordSetupMarker = (): void => sessionStorage.removeItem(key);
export const hasPasswordSetupMarker = (): boolean => sessionStorage.getItem(key) !== null;

/** Returns the invitation that opened this tab, or null. */
export const findInvitedAs = (): 'administrator' | 'member' | null => {
  const purpose = sessionStorage.getItem(key);
  return purpose === 'administrator' || purpose === 'member' ? purpose : null;
};

/** Returns the path to open after the password is set. Call it before the marker is cleared. */
export const pathAfterSetup = (): string => (findInvitedAs() === 'member' ? membershipPath : homePath);
