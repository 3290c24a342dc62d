/** One-time tokens that take a browser from one step of an OAuth flow to the next. */
import { createHash, randomBytes } from 'node:crypto';

/** `continue`: to the provider. `confirm`: after the provider, to link the identity. */
type Step = 'continue' | 'confirm';

export const newBrowserToken = (): string => randomBytes(32).toString('base64url');

/** Returns the stored form. It includes the step, so that a token of one step is unknown at the other. */
export const hashBrowserToken = (step: Step, token: string): Buffer =>
  createHash('sha256').update(`${step}:${token}`).digest();
