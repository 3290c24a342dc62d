/** One-time tokens that carry an OAuth flow from one page to the next. */
import { createHash, randomBytes } from 'node:crypto';

/** `continue`: redirect to the provider. `confirm`: link the identity after the response of the provider. */
type BrowserTokenPurpose = 'continue' | 'confirm';

export const createBrowserToken = (): string => randomBytes(32).toString('base64url');

/** Returns the stored hash. It includes the purpose, so that a token works for it only. */
export const hashBrowserToken = (purpose: BrowserTokenPurpose, token: string): Buffer =>
  createHash('sha256').update(`${purpose}:${token}`).digest();
