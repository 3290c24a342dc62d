/** One-time tokens that carry an OAuth flow from one page to the next. */
import { createHash, randomBytes } from 'node:crypto';

/** `continue`: redirect to the provider. `confirm`: link the identity after the response of the provider. */
type Step = 'continue' | 'confirm';

export const newBrowserToken = (): string => randomBytes(32).toString('base64url');

/** Returns the stored hash. It includes the step, so that a token works in its own step only. */
export const hashBrowserToken = (step: Step, token: string): Buffer =>
  createHash('sha256').update(`${step}:${token}`).digest();
