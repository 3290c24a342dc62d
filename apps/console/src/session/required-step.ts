/** The step that a session requires. Reads unknown values, because the boot script has only the stored text. */
import { findField, parseTokenClaims } from '../api/json.ts';

/** `set-password` and `second-factor` are required before the session can do anything else. */
export type SessionStep = 'ready' | 'set-password' | 'second-factor';

interface SessionFields {
  readonly access_token: string;
  readonly user?: unknown;
}

/** Returns true if the user has a verified factor and the session of the token is not at AAL2. */
export const needsSecondFactor = (user: unknown, accessToken: string): boolean => {
  const factors = findField(user, 'factors');
  const isVerified = (factor: unknown): boolean => findField(factor, 'status') === 'verified';
  return (
    Array.isArray(factors) &&
    factors.some(isVerified) &&
    findField(parseTokenClaims(accessToken), 'aal') !== 'aal2'
  );
};

/** Returns the step that the session requires. The service checks every request again. */
export const getRequiredStep = ({ user, access_token }: SessionFields): SessionStep => {
  if (findField(findField(user, 'app_metadata'), 'setup_required') === true) return 'set-password';
  return needsSecondFactor(user, access_token) ? 'second-factor' : 'ready';
};
