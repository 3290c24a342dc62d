/** Loads the code of the auth service once. The next call retries a failed load. */
import type * as authService from './auth-service.ts';

export type AuthService = typeof authService;

let loading: Promise<AuthService> | null = null;

export const loadAuthService = (): Promise<AuthService> => {
  loading ??= import('./auth-service.ts').catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
};
