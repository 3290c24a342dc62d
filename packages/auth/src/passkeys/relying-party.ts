/** The WebAuthn relying party: the host of SITE_URL. */
import type { AuthSettings } from '../settings.ts';
import { AuthError } from '../auth-error.ts';
import type { AuthContext } from '../auth-context.ts';

export const toRelyingParty = (config: AuthSettings): { id: string; name: string; origin: string } => {
  const site = new URL(config.SITE_URL);
  return { id: site.hostname, name: config.PRODUCT_NAME, origin: site.origin };
};

/** Returns the error if passkeys are disabled. */
export const requirePasskeys = ({ context }: { readonly context: AuthContext }): AuthError | null =>
  context.config.PASSKEYS ? null : new AuthError(404, 'passkey_disabled', 'Passkeys are disabled');
