/** Loads the code of the auth service once. The next call retries a failed load. */
import { unreachableMessage } from '../../api/errors.ts';
import { withTimeout } from '../../api/deadline.ts';
import type * as authService from './auth-service.ts';

export type AuthService = typeof authService;

/** The form waits for the code after its button was pressed. */
const timeoutMs = 20_000;

let loading: Promise<AuthService> | null = null;

export const loadAuthService = (): Promise<AuthService> => {
  loading ??= withTimeout(import('./auth-service.ts'), timeoutMs, () => new Error(unreachableMessage)).catch(
    (error: unknown) => {
      loading = null;
      throw error;
    },
  );
  return loading;
};
