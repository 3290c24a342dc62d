/** Steps that the service requires before it accepts other requests of the session, and who is notified of them. */
import { findField } from './json.ts';

const sessionRequirements = ['password_not_set', 'insufficient_aal'] as const;

export type SessionRequirement = (typeof sessionRequirements)[number];

const isSessionRequirement = (code: unknown): code is SessionRequirement =>
  sessionRequirements.some((requirement) => requirement === code);

type RequirementListener = (requirement: SessionRequirement, rejectedToken: string) => void;
const listeners = new Set<RequirementListener>();

/** Calls `listener` when the service rejects a request with this token because of a session requirement. */
export const onSessionRequirement = (listener: RequirementListener): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Calls the listeners. @param token of the rejected request */
export const reportSessionRequirement = (requirement: SessionRequirement, token: string): void => {
  for (const listener of listeners) listener(requirement, token);
};

/**
 * Returns the session requirement in an error response, if any. The Auth API sends the HTTP status as `code`
 * and the error code as `error_code`.
 */
export const readSessionRequirement = async (response: Response): Promise<SessionRequirement | undefined> => {
  try {
    const body: unknown = await response.clone().json();
    return [findField(body, 'code'), findField(body, 'error_code')].find(isSessionRequirement);
  } catch {
    // The body is not JSON, so a proxy sent it. The function that sent the request handles the response.
    return undefined;
  }
};
