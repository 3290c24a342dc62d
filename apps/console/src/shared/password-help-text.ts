/** Help text of a field for a new password. */
import { hasFeature } from '../api/runtime-config.ts';

/** Other backends can accept common passwords. */
export const passwordHelpText = (): string =>
  `At least 8 characters${hasFeature('extensions') ? ', and not a common password' : ''}. The service can require more.`;
