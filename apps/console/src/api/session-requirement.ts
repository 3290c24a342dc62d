/** Steps that the service requires before it accepts other requests of a session. */
import { fieldOf } from './json.ts';

/** A step that the service requires before it accepts other requests of the session. */
export type SessionRequirement = 'password_not_set' | 'insufficient_aal';
const sessionRequirements: readonly string[] = [
  'password_not_set',
  'insufficient_aal',
] satisfies SessionRequirement[];
const isSessionRequirement = (code: unknown): code is SessionRequirement =>
  typeof code === 'string' && sessionRequirements.includes(code);

type RequirementListener = (requirement: SessionRequirement, rejectedToken: string) => void;
const requirementListeners = new Set<RequirementListener>();

/** Calls `listener` when the service rejects a request with this token because of a session requirement. */
export const onSessionRequirement = (listener: RequirementListener): (() => void) => {
  requirementListeners.add(listener);
  return () => requirementListeners.delete(listener);
};

/**
 * Returns the session requirement in an error response, if any. The Auth API sends the HTTP status as `code`
 * and the error code as `error_code`.
 */
export const readSessionRequirement = async (response: Response): Promise<SessionRequirement | undefined> => {
  try {
    const body: unknown = await response.clone().json();
    return [fieldOf(body, 'code'), fieldOf(body, 'error_code')].find(isSessionRequirement);
  } catch {
    // The body is not JSON, so a proxy sent it. The caller handles the response.
    return undefined;
  }
};

/** Calls the listeners if the response has a session requirement. */
export const notifyRequirementListeners = async (response: Response, token: string): Promise<void> => {
  const requirement = await readSessionRequirement(response);
  if (requirement !== undefined) for (const listener of requirementListeners) listener(requirement, token);
};
